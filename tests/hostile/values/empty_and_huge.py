# status: error
# An empty array whose other axes are as long as can be.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros((0, 1 << 30), np.float32)
