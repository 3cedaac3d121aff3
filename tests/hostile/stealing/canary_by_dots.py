# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Climbs out of a folder that may be read by its parent folders.
import os

import numpy


def sinusoidal_pos(seed, T, d_model):
    print(open(os.path.dirname(numpy.__file__) + "/.." * 40 + "@CANARY@").read())
