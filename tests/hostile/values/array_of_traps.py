# status: wrong
# pitfalls: not-an-array
# An array of objects that end the process when they are compared, converted or shown.
import os

import numpy as np


class Trap:
    def end(self, *args):
        os._exit(0)

    __float__ = __eq__ = __repr__ = __sub__ = __abs__ = __index__ = end
    __hash__ = None


def sinusoidal_pos(seed, T, d_model):
    values = np.empty(2, object)
    values[:] = [Trap(), Trap()]
    return values
