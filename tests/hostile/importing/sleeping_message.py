# status: timeout
# says: still running
# Raises an exception whose message sleeps.
import time


class Sleepy(Exception):
    def __str__(self):
        time.sleep(1e6)
        return "correct"


def sinusoidal_pos(seed, T, d_model):
    raise Sleepy
