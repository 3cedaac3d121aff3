# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Removes a file of the kit's.
import os


def sinusoidal_pos(seed, T, d_model):
    os.unlink("@KIT@/problems/sinusoidal_pos/README.md")
