# status: crash
# says: SIGSEGV|SIGBUS
# An array over memory that is not there.
import ctypes

import numpy as np


def sinusoidal_pos(seed, T, d_model):
    nowhere = (ctypes.c_float * (T * d_model)).from_address(8)
    return np.frombuffer(nowhere, np.float32)
