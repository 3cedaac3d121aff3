# status: wrong
# pitfalls: not-an-array
# One line of sixteen million letters.
import sys


def sinusoidal_pos(seed, T, d_model):
    sys.stdout.write("x" * (1 << 24))
