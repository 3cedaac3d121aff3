# status: error
# says: PermissionError
# tiers: A B
# Attaches to its parent as a debugger does (PTRACE_SEIZE, which does not stop it).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.ptrace(0x4206, os.getppid(), 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
