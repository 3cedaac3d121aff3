# status: error
# says: PermissionError|OSError
# tiers: A B
# Asks for a ring through which system calls can be made past a filter (425 everywhere).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(425, 8, ctypes.create_string_buffer(120)) < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")
