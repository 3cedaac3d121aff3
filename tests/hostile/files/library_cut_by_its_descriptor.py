# status: error
# says: OSError|PermissionError
# tiers: A B
# Cuts a file of an installed library, or makes a hole in it, by a descriptor that may only read.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    descriptor = os.open("@LIBRARY@", os.O_RDONLY)
    if libc.fallocate(descriptor, 3, ctypes.c_long(0), ctypes.c_long(4096)) < 0:
        os.ftruncate(descriptor, 0)
