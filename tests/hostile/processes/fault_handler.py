# status: crash
# says: SIGSEGV
# Handles its own fault, writes a verdict into the output, and dies of it.
import ctypes
import faulthandler

faulthandler.enable()


def sinusoidal_pos(seed, T, d_model):
    ctypes.memset(8, 0, 1)
