# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Maps a file into memory, by np.memmap.
import numpy as np


def sinusoidal_pos(seed, T, d_model):
    print(np.memmap("@CANARY@", mode="r").tobytes())
