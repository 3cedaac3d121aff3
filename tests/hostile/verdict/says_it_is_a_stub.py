# status: unattempted
# says: Not filled in
# Raises what an unfilled stub raises, out of code that is none.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    if np.zeros(T).sum() == 0:
        raise NotImplementedError
    return None
