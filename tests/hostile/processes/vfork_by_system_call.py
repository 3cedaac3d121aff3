# status: error
# says: PermissionError
# tiers: A B
# vfork past the C library (58 on x86-64).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    made = libc.syscall(58)
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(ctypes.get_errno(), "vfork")
