# status: error
# says: PermissionError|BlockingIOError
# tiers: A B
# Forks, and its children fork; were it let, it would stop at 64.
import os
import time


def sinusoidal_pos(seed, T, d_model):
    for _ in range(6):
        os.fork()
    time.sleep(100)
