# status: timeout
# says: still running
# Waits for a lock that it holds itself, while the file is loaded.
import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()


def sinusoidal_pos(seed, T, d_model):
    return None
