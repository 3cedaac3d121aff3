# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Attaches to another process as a debugger does (PTRACE_SEIZE, which does not stop it).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.ptrace(0x4206, @PID@, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
