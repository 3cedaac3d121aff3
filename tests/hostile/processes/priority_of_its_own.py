# status: error
# says: PermissionError|OSError
# tiers: A B
# Asks for real time, which stops everything else on a processor.
import os


def sinusoidal_pos(seed, T, d_model):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
