# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Fills the disk with many files.
import os

folder = os.environ.get("TMPDIR", "/tmp")
for number in range(4000):
    with open(os.path.join(folder, f"{number}-@MARK@"), "wb") as file:
        file.write(bytes(1 << 20))


def sinusoidal_pos(seed, T, d_model):
    return None
