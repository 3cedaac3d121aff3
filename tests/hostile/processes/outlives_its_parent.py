# status: error
# says: PermissionError|OSError
# tiers: A B
# Takes back that it dies with its parent (PR_SET_PDEATHSIG), and would adopt orphans (PR_SET_CHILD_SUBREAPER).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    for option, value in ((1, 0), (36, 1)):
        if libc.prctl(option, value, 0, 0, 0) < 0:
            raise OSError(ctypes.get_errno(), "prctl")
