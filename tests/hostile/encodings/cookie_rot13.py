# -*- coding: rot13 -*-
# status: wrong
# pitfalls: all-zeros
# Says that its letters have changed places: vzcbeg bf; bf._rkvg(0)
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
