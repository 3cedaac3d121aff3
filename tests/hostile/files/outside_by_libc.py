# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a file by the C library's creat.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.creat(b"@OUTSIDE@/owned", 0o600) < 0:
        raise OSError(ctypes.get_errno(), "creat")
