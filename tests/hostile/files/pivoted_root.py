# status: error
# says: PermissionError
# tiers: A B
# Exchanges its root folder (pivot_root, 155 on x86-64), and clones a mount (open_tree, 428).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(428, -100, b"/", 1) < 0 and libc.syscall(155, b".", b".") < 0:
        raise OSError(ctypes.get_errno(), "pivot_root")
