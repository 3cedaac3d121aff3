# status: error
# says: OSError|PermissionError
# tiers: A B
# Reads a file by the bare system call openat2 (437 everywhere).
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    how = struct.pack("<QQQ", os.O_RDONLY, 0, 0)
    descriptor = libc.syscall(437, -100, b"@CANARY@", how, len(how))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "openat2")
    print(os.read(descriptor, 1000))
