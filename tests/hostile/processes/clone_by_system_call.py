# status: error
# says: PermissionError
# tiers: A B
# clone past the C library, as fork does it (56 on x86-64).
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    made = libc.syscall(56, signal.SIGCHLD, 0, 0, 0, 0)
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(ctypes.get_errno(), "clone")
