# status: wrong
# pitfalls: all-zeros not-flattened
# The right number of values, with thirty axes more.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros((1,) * 14 + (T, d_model), np.float32)
