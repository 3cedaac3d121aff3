# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads the worked answer's or the reference's compiled form.
import marshal
import os

folder = "@KIT@/solutions/sinusoidal_pos/__pycache__"
for name in os.listdir(folder):
    with open(f"{folder}/{name}", "rb") as file:
        exec(marshal.loads(file.read()[16:]))
