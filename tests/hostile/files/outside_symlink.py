# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Leaves a symbolic link for somebody who follows it later.
import os


def sinusoidal_pos(seed, T, d_model):
    os.symlink("@CANARY@", "@OUTSIDE@/owned")
