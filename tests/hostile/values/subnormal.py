# status: wrong
# pitfalls: all-equal
# The smallest numbers that there are.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.full(T * d_model, 1e-45, np.float32)
