# status: error
# says: PermissionError|OSError
# tiers: A B
# Memory that outlives it and that others can attach (shmget).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.shmget(0, 4096, 0o1600) < 0:
        raise OSError(ctypes.get_errno(), "shmget")
