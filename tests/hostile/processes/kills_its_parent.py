# status: error
# says: PermissionError
# at C: status=crash
import os
import signal
import time


def sinusoidal_pos(seed, T, d_model):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(5)
