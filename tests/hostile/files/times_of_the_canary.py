# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Changes when a file of the user's was written.
import os


def sinusoidal_pos(seed, T, d_model):
    os.utime("@CANARY@", (0, 0))
