# status: error
# says: PermissionError|OSError
# tiers: A B
# A queue through which it could talk to others (mq_open, 240 on x86-64).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(240, b"@MARK@", 0o102, 0o600, 0) < 0:
        raise OSError(ctypes.get_errno(), "mq_open")
