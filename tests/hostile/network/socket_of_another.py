# status: error
# says: PermissionError|ProcessLookupError|OSError
# tiers: A B
# Takes a descriptor out of another process (pidfd_open and pidfd_getfd, 434 and 438 everywhere).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    process = libc.syscall(434, os.getppid(), 0)
    if process < 0 or libc.syscall(438, process, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
