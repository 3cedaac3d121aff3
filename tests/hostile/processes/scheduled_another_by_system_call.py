# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# The same by sched_setattr and sched_setparam (314 and 142 on x86-64).
import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    attributes = struct.pack("<IIQiIQQQ", 48, 5, 0, 19, 0, 0, 0, 0)
    calls = ((314, @PID@, attributes, 0), (142, @PID@, struct.pack("<i", 0)))
    refused = [ctypes.get_errno() for call in calls if libc.syscall(*call) < 0]
    if len(refused) == len(calls):
        raise PermissionError(refused[0], "all refused")
