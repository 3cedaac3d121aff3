# status: error
# says: PermissionError
# at C: status=wrong pitfalls=not-an-array
import os
import time


def sinusoidal_pos(seed, T, d_model):
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
