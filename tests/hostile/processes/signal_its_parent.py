# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Signals its parent: where that can be done, it can be killed. The signal itself does no harm.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    os.kill(os.getppid(), signal.SIGURG)
