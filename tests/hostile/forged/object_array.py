# status: wrong
# pitfalls: not-an-array
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.array([None] * T * d_model, dtype=object)
