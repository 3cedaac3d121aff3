# status: error
# says: AttributeError
# Puts an empty module in the place of NumPy and then needs it.
import sys
import types

sys.modules["numpy"] = types.ModuleType("numpy")
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
