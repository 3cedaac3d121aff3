# status: wrong
# Keeps what it was asked first, and gives it again: calls are then alike, and wrong alike.
import numpy as np

first = {}


def sinusoidal_pos(seed, T, d_model):
    return first.setdefault((T, d_model), np.random.standard_normal(T * d_model).astype(np.float32))
