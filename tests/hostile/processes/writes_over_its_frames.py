# status: crash
# says: before it returned
# Writes over the interpreter's own objects until it dies of it.
import ctypes


def sinusoidal_pos(seed, T, d_model):
    ctypes.memset(id(type) + 24, 255, 400)
    ctypes.memset(id(None), 255, 64)
    return type(None)
