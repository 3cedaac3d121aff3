# status: memory
# says: memory|allocate
# Four terabytes in an array that takes four bytes, because all its strides are zero.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.broadcast_to(np.float32(0), (1 << 40,))
