# status: error
# says: OSError|PermissionError
# tiers: A B
# Changes a file's mode by a system call that is newer than many filters (452 everywhere).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(452, -100, b"@CANARY@", 0o666, 0) < 0:
        raise OSError(ctypes.get_errno(), "fchmodat2")
