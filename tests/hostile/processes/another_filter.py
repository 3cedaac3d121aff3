# status: error
# says: PermissionError|OSError
# tiers: A B
# Has a filter of system calls of its own that tells a listener (seccomp, 317 on x86-64, SECCOMP_FILTER_FLAG_NEW_LISTENER).
import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    program = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000))
    whole = struct.pack("<HxxxxxxQ", 1, ctypes.addressof(program))
    if libc.syscall(317, 1, 8, whole) < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
