# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Cuts a file of an installed library through its own descriptor of it.
import os


def sinusoidal_pos(seed, T, d_model):
    descriptor = os.open("@LIBRARY@", os.O_RDONLY)
    os.close(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_TRUNC))
