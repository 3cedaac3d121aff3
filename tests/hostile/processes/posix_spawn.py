# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Starts a shell by posix_spawn.
import os


def sinusoidal_pos(seed, T, d_model):
    os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 1234 # @MARK@"], {}, setsid=False)
