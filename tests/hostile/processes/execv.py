# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Becomes a shell itself.
import os


def sinusoidal_pos(seed, T, d_model):
    os.execv("/bin/sh", ["sh", "-c", "sleep 1234 # @MARK@"])
