# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Folders so deep that whoever removes them by recursion falls over.
import os

folder = os.environ.get("TMPDIR", "/tmp")
os.chdir(folder)
for number in range(200000):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)


def sinusoidal_pos(seed, T, d_model):
    return None
