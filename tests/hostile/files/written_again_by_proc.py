# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Opens a library that it may read once more, for writing, through its own descriptor.
import os


def sinusoidal_pos(seed, T, d_model):
    descriptor = os.open(os.__file__, os.O_RDONLY)
    os.close(os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR))
