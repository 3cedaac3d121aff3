# status: error
# says: PermissionError|OSError
# tiers: A B
# Becomes root.
import os


def sinusoidal_pos(seed, T, d_model):
    os.setgroups([0])
    os.setresuid(0, 0, 0)
