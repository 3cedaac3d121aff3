# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Cuts a file of the kit's to nothing, by its path.
import os


def sinusoidal_pos(seed, T, d_model):
    os.truncate("@KIT@/problems/sinusoidal_pos/README.md", 0)
