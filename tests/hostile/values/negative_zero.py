# status: wrong
# pitfalls: all-zeros
# Zeros with a sign.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.full(T * d_model, -0.0, np.float32)
