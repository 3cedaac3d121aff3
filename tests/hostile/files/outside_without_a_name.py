# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a file without a name, and gives it one later.
import os


def sinusoidal_pos(seed, T, d_model):
    file = os.open("@OUTSIDE@", os.O_TMPFILE | os.O_RDWR)
    os.link(f"/proc/self/fd/{file}", "@OUTSIDE@/owned", follow_symlinks=True)
