# status: wrong
# pitfalls: not-an-array
# Dates, of which some are not a date.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.full(T * d_model, "NaT", "datetime64[s]")
