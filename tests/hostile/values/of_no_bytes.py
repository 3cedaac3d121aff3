# status: wrong
# pitfalls: not-an-array
# JAX's dtype of no bytes, float0.
import jax
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, jax.dtypes.float0)
