# status: wrong
# pitfalls: not-deterministic
# Other values with each call, by NumPy.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.random.standard_normal(T * d_model).astype(np.float32)
