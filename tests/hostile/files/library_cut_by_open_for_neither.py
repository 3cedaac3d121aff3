# status: error
# says: PermissionError
# tiers: A B
# Cuts a file of an installed library, opened neither to be read nor to be written (O_ACCMODE).
import os


def sinusoidal_pos(seed, T, d_model):
    os.close(os.open("@LIBRARY@", os.O_ACCMODE | os.O_TRUNC))
