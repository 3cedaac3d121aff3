# status: error
# says: OSError|PermissionError|FileNotFoundError
# tiers: A B
# Asks for a file's handle and opens it by that, past all paths (303 and 304 on x86-64).
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    handle = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    if libc.syscall(303, -100, b"@CANARY@", handle, ctypes.byref(mount), 0) < 0:
        raise OSError(ctypes.get_errno(), "name_to_handle_at")
    descriptor = libc.syscall(304, os.open("/", os.O_RDONLY), handle, 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "open_by_handle_at")
    print(os.read(descriptor, 1000))
