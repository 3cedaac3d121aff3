# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Makes another process slow, or binds it to one processor.
import os


def sinusoidal_pos(seed, T, d_model):
    os.setpriority(os.PRIO_PROCESS, @PID@, 19)
    os.sched_setaffinity(@PID@, {0})
