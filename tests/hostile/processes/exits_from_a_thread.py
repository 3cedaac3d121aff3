# status: crash
# says: exited with status 0
# Another thread ends the process while the answer computes.
import os
import threading
import time

threading.Timer(0.3, os._exit, args=(0,)).start()


def sinusoidal_pos(seed, T, d_model):
    time.sleep(5)
