# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Lets another process read and write only when nobody else does (ioprio_set, 251 on x86-64).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(251, 1, @PID@, 3 << 13) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
