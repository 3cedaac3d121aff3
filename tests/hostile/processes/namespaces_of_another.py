# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Enters the namespaces of another process (setns).
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.setns(os.open(f"/proc/{os.getppid()}/ns/net", os.O_RDONLY), 0) < 0:
        raise OSError(ctypes.get_errno(), "setns")
