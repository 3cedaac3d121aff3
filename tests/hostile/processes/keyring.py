# status: error
# says: PermissionError|OSError
# tiers: A B
# Puts a key where other processes of the user find it (add_key, 248 on x86-64).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(248, b"user", b"@MARK@", b"x", 1, -4) < 0:
        raise OSError(ctypes.get_errno(), "add_key")
