# status: error
# says: PermissionError
# tiers: A B
# Locks a file that others read, so that whoever asks for its lock waits as long as it runs (flock).
import fcntl
import os


def sinusoidal_pos(seed, T, d_model):
    fcntl.flock(os.open("@LIBRARY@", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
