# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Binds another process of the same user to one core.
import os


def sinusoidal_pos(seed, T, d_model):
    os.sched_setaffinity(@PID@, {min(os.sched_getaffinity(0))})
