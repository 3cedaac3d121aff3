# status: error
# says: PermissionError|OSError
# tiers: A B
# Asks for namespaces of its own, in which it would be root (unshare).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.unshare(0x10000000 | 0x00020000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
