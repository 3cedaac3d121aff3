# status: error
# says: PermissionError
# tiers: A B
# Mounts something over a folder outside; were it let, it would take it away again.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.mount(b"none", b"@OUTSIDE@", b"tmpfs", 0, None) < 0:
        raise OSError(ctypes.get_errno(), "mount")
    libc.umount(b"@OUTSIDE@")
