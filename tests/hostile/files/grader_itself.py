# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Leaves a file in the grader's own package. It holds nothing but a comment.
import os

import grader


def sinusoidal_pos(seed, T, d_model):
    with open(os.path.join(os.path.dirname(grader.__file__), "left_by_@MARK@.py"), "w") as file:
        file.write("# left by an attack in the tests of the grader\n")
