# status: timeout
# says: that only an error could end
# Computes for ever in C, where no signal handler of Python's is called.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    a = np.ones((3000, 3000))
    while True:
        a = a @ a * 1e-9
