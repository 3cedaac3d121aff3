# status: wrong
# pitfalls: not-an-array
import sys


def spy(frame, event, argument):
    raise SystemExit(0)


def sinusoidal_pos(seed, T, d_model):
    return None
