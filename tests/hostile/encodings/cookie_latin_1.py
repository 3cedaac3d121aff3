# -*- coding: latin-1 -*-
# status: wrong
# pitfalls: all-zeros
# Says that it is in another encoding than it is: é ÿ.
import numpy as np

assert len("é") == 1


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
