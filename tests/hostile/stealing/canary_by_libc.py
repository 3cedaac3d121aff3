# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file by the C library's open.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    descriptor = libc.open(b"@CANARY@", 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "open")
    print(os.read(descriptor, 1000))
