# status: error
# says: OSError|PermissionError
# tiers: A B
# clone3 past the C library (435 everywhere), whose flags no filter can read.
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    wanted = struct.pack("<8Q", 0, 0, 0, 0, 17, 0, 0, 0)
    made = libc.syscall(435, wanted, len(wanted))
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(ctypes.get_errno(), "clone3")
