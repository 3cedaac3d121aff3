# status: error
# says: PermissionError
# tiers: A B
# Signals its own group, which the process that waits for it might belong to.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    os.killpg(0, signal.SIGURG)
    os.killpg(os.getpgid(os.getppid()), signal.SIGURG)
