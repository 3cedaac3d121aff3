# status: wrong
# pitfalls: all-equal
# An array that a thread goes on changing after it was returned.
import threading

import numpy as np

kept = []


def change():
    while True:
        for array in kept:
            array[:] = array + np.float32(0.001)


threading.Thread(target=change, daemon=True).start()


def sinusoidal_pos(seed, T, d_model):
    if T * d_model > 10000:
        kept.append(np.full(T * d_model, 7, np.float32))
        return kept[-1]
    return np.zeros(T * d_model, np.float32)
