# status: crash
# says: SIGTERM
# Ends itself by a signal of its own.
import os
import signal

signal.signal(signal.SIGTERM, signal.SIG_DFL)


def sinusoidal_pos(seed, T, d_model):
    os.kill(os.getpid(), signal.SIGTERM)
