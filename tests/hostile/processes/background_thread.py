# status: wrong
# pitfalls: not-an-array
import threading
import time

threading.Thread(target=lambda: time.sleep(1000)).start()


def sinusoidal_pos(seed, T, d_model):
    return None
