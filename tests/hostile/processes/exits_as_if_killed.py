# status: crash
# says: exited with status 137
# Ends with the status that shells give to what was killed.
import os


def sinusoidal_pos(seed, T, d_model):
    os._exit(137)
