# status: wrong
# pitfalls: not-an-array
# A subclass of NumPy's array with the name of a module of JAX's.
import numpy as np


class Array(np.ndarray):
    __module__ = "jax"

    def tobytes(self, *args):
        return b"\0" * 4

    def __array_finalize__(self, other):
        pass


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32).view(Array)
