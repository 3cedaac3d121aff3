# status: crash
# says: SIGSEGV
# A segmentation fault in another thread than the one that computes.
import ctypes
import threading
import time

threading.Thread(target=ctypes.memset, args=(8, 0, 1)).start()


def sinusoidal_pos(seed, T, d_model):
    time.sleep(5)
