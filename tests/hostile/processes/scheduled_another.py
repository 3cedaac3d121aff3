# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Lets another process run only where nobody else would (SCHED_IDLE).
import os


def sinusoidal_pos(seed, T, d_model):
    os.sched_setscheduler(@PID@, os.SCHED_IDLE, os.sched_param(0))
