# status: crash
# says: SIGSEGV
import ctypes


def sinusoidal_pos(seed, T, d_model):
    ctypes.string_at(0)
