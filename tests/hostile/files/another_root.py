# status: error
# says: PermissionError
# tiers: A B
# Changes its root folder (to the one that it has).
import os


def sinusoidal_pos(seed, T, d_model):
    os.chroot("/")
