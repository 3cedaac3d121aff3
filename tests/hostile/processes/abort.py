# status: crash
# says: SIGABRT
import os


def sinusoidal_pos(seed, T, d_model):
    os.abort()
