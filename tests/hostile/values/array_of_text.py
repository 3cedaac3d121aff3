# status: wrong
# pitfalls: not-an-array
# An array of words.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.array(["correct"] * (T * d_model))
