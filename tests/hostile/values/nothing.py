# status: wrong
# pitfalls: wrong-length
# Arrays without values, which differ from nothing.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(0, np.float32)
