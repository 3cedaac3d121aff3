# -*- coding: latin-1 -*-
# status: wrong
# pitfalls: all-zeros
# Says that it is in another encoding than it is, and is read so, as Python reads it: é ÿ.
import numpy as np

assert len("é") == 2


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
