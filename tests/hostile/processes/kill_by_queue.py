# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Kills another process by rt_sigqueueinfo (129 on x86-64), as a sender that it is not.
import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    information = struct.pack("<iiiixxxx", 9, 0, -1, 0) + bytes(128)
    if libc.syscall(129, @PID@, 9, information) < 0:
        raise OSError(ctypes.get_errno(), "rt_sigqueueinfo")
