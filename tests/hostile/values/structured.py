# status: wrong
# pitfalls: not-an-array
# Records with one field, a float32.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, [("correct", np.float32)])
