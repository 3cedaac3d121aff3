# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Kills another process of the same user.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    os.kill(@PID@, signal.SIGKILL)
