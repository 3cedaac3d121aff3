# status: error
# says: longdouble|float128
# Numbers of a dtype that has another size on another machine.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.longdouble)
