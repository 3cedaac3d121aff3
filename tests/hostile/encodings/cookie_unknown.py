# -*- coding: no-such-encoding -*-
# status: wrong
# pitfalls: all-zeros
# Says that it is in an encoding that there is not.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
