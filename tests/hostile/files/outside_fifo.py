# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a named pipe, at which whoever opens it waits.
import os


def sinusoidal_pos(seed, T, d_model):
    os.mkfifo("@OUTSIDE@/owned")
