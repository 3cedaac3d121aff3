# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Leaves compiled code beside a library. It is of no module that there is.
import os

import numpy


def sinusoidal_pos(seed, T, d_model):
    folder = os.path.join(os.path.dirname(numpy.__file__), "__pycache__")
    with open(f"{folder}/left_by_@MARK@.pyc", "wb") as file:
        file.write(b"left by an attack in the tests of the grader\n")
