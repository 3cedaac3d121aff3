# status: memory
# says: more than
# Lifts the limit of recursion and calls itself, each time with more.
import sys

sys.setrecursionlimit(1 << 30)


def sinusoidal_pos(seed, T, d_model, *more):
    kept = bytearray(1 << 16)
    return sinusoidal_pos(seed, T, d_model, kept)
