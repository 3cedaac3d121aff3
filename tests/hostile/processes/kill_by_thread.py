# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Kills another process by tgkill and tkill (234 and 200 on x86-64).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(200, @PID@, 9) < 0 and libc.syscall(234, @PID@, @PID@, 9) < 0:
        raise OSError(ctypes.get_errno(), "tgkill")
