# status: error
# says: OSError|PermissionError|MemoryError
# tiers: A B
# Locks memory, so that the machine cannot swap it out.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.mlockall(7) < 0:
        raise OSError(ctypes.get_errno(), "mlockall")
