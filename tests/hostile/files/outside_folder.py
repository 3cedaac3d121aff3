# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a folder.
import os


def sinusoidal_pos(seed, T, d_model):
    os.makedirs("@OUTSIDE@/owned/deeper")
