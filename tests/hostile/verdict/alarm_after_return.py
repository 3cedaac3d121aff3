# status: crash
# says: SIGALRM
# A timer that nobody handles ends the process a moment later, after it could have returned.
import signal
import time

signal.setitimer(signal.ITIMER_REAL, 0.5)


def sinusoidal_pos(seed, T, d_model):
    time.sleep(5)
