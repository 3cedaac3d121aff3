# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Starts a shell by the C library's popen.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.popen.restype = ctypes.c_void_p


def sinusoidal_pos(seed, T, d_model):
    if not libc.popen(b"sleep 1234; : @MARK@", b"w"):
        raise OSError(ctypes.get_errno(), "popen")
