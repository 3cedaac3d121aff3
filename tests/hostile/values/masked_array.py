# status: wrong
# pitfalls: not-an-array
# An array whose values are all masked, so that comparing it gives no difference.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.ma.masked_all(T * d_model, np.float32)
