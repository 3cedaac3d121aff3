# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file by io.FileIO with an opener of its own.
import io
import os


def sinusoidal_pos(seed, T, d_model):
    print(io.FileIO("@CANARY@", opener=lambda path, flags: os.open(path, flags & ~os.O_CLOEXEC)).readall())
