# status: error
# says: PermissionError
# tiers: A B
# Cuts a file of an installed library to nothing by opening it to be read (O_TRUNC), which some kernels do not call writing.
import os


def sinusoidal_pos(seed, T, d_model):
    os.close(os.open("@LIBRARY@", os.O_RDONLY | os.O_TRUNC))
