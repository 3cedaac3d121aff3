# status: error
# says: OSError|PermissionError|FileNotFoundError
# tiers: A B
# Writes an extended attribute of a file of the user's.
import os


def sinusoidal_pos(seed, T, d_model):
    os.setxattr("@CANARY@", "user.owned", b"here")
