# status: crash
# says: SIGSYS
# tiers: A B
# fork by the numbers of the x32 interface, which a filter of numbers may not know.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    made = libc.syscall(0x40000000 | 57)
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(ctypes.get_errno(), "fork")
