# status: error
# says: PermissionError
# tiers: A B
# Connects past the C library (socket is 41, connect 42 on x86-64).
import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    descriptor = libc.syscall(41, 2, 1, 0)
    address = struct.pack("!2xH4B8x", @PORT@, 127, 0, 0, 1)
    address = struct.pack("=H", 2) + address[2:]
    if descriptor < 0 or libc.syscall(42, descriptor, address, 16) < 0:
        raise OSError(ctypes.get_errno(), "connect")
