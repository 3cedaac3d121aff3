# status: error
# says: OSError.*Too many open files
# Takes every descriptor that there is, and keeps them.
import os

kept = []


def sinusoidal_pos(seed, T, d_model):
    while True:
        kept.append(os.dup(1))
