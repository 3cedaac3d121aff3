# status: wrong
# pitfalls: not-an-array
# Takes every descriptor that there is, says nothing of it, and returns.
import os

try:
    while True:
        os.dup(1)
except OSError:
    pass


def sinusoidal_pos(seed, T, d_model):
    return None
