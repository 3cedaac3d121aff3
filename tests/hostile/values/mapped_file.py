# status: wrong
# pitfalls: not-an-array
# An array that is a mapped file, which may change or shrink while it is read.
import os

import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.memmap(os.__file__, np.uint8, mode="r")[: T * d_model]
