# status: error
# says: not one whole result
# A thread writes bytes into the middle of the honest result.
import os
import threading
import time

import numpy as np


def disturb():
    while True:
        for descriptor in range(3, 256):
            try:
                os.write(descriptor, b"correct")
            except OSError:
                pass
        time.sleep(0.001)


threading.Thread(target=disturb, daemon=True).start()


def sinusoidal_pos(seed, T, d_model):
    time.sleep(0.1)
    return np.zeros(T * d_model, np.float32)
