# status: crash
# says: SIGSYS
# tiers: A B
# Asks for a socket by the numbers of the x32 interface.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(0x40000000 | 41, 2, 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "socket")
