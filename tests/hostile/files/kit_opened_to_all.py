# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Lets everybody write to the kit: what guards paths when they are opened does not guard this.
import os


def sinusoidal_pos(seed, T, d_model):
    os.chmod("@KIT@", 0o777)
