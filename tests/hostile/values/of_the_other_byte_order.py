# status: wrong
# pitfalls: all-equal
# Values whose bytes stand in the other order.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.full(T * d_model, 0.25, ">f4")
