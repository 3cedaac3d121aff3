# status: error
# says: PermissionError|OSError
# tiers: A B
# A file that is nowhere but in memory, to be run as a program.
import os


def sinusoidal_pos(seed, T, d_model):
    os.execve(os.memfd_create("x"), ["@MARK@"], {})
