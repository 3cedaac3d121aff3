# status: error
# says: PermissionError
# Leaves the session by which it might be found and killed.
import os


def sinusoidal_pos(seed, T, d_model):
    os.setsid()
