# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Signals every process that there is. The signal itself does no harm, so that a leak harms nobody.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    os.kill(-1, signal.SIGURG)
