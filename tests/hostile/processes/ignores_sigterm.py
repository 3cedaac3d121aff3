# status: timeout
# says: that only an error could end
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def sinusoidal_pos(seed, T, d_model):
    while True:
        pass
