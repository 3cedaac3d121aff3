# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Leaves a file in the home folder.
import os


def sinusoidal_pos(seed, T, d_model):
    with open(os.path.expanduser("~/.left-by-@MARK@"), "w") as file:
        file.write("left by an attack in the tests of the grader\n")
