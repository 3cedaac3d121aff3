# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file of the user's and lets its content out as numbers.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    token = np.fromfile("@CANARY@", np.uint8)
    raise ValueError(token.tobytes())
