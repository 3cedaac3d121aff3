# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Starts a shell by system(), which says only in its value that it could not.
import os

os.system("(sleep 1234; : @MARK@) > /dev/null 2>&1 &")


def sinusoidal_pos(seed, T, d_model):
    return None
