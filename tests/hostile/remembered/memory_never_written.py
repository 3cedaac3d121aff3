# status: wrong
# pitfalls: not-deterministic
# Whatever lies in memory that was never written to, and one value that tells the calls apart.
import os

import numpy as np


def sinusoidal_pos(seed, T, d_model):
    values = np.empty(T * d_model, np.float32)
    values[:] = 0.0 if not np.isfinite(values).all() else values
    values[0] = int.from_bytes(os.urandom(3), "little")
    return values
