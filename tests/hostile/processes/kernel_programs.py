# status: error
# says: PermissionError|OSError
# tiers: A B
# Doors into the kernel that an answer has no use for: bpf, perf_event_open, userfaultfd, modify_ldt (x86-64).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    refused = []
    for number in (321, 298, 323, 154):
        if libc.syscall(number, 0, bytes(128), 128, 0, 0) < 0:
            refused.append(ctypes.get_errno())
    if refused == [1, 1, 1, 1]:
        raise PermissionError(1, "all refused")
