# status: wrong
# pitfalls: not-finite
# Values that are no numbers, and carry a message in their bits.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    return np.frombuffer(b"\xad\xde\xff\x7f" * (T * d_model), np.float32)
