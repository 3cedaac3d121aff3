# status: memory
# says: more than
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.ones(10 << 27, np.float64)
