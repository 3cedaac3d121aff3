# status: error
# says: PermissionError
# tiers: A B
# Cuts a file of an installed library by creat, which opens it to be written (85 on x86-64).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(85, b"@LIBRARY@", 0o644) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
