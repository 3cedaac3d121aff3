# status: crash
# says: SIGKILL
# Kills itself, as the grader does at a limit.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    os.kill(os.getpid(), signal.SIGKILL)
