# status: error
# says: PermissionError
# tiers: A B
# Cuts a file of an installed library by its name in a folder that it has open.
import os


def sinusoidal_pos(seed, T, d_model):
    folder = os.open(os.path.dirname("@LIBRARY@"), os.O_PATH | os.O_DIRECTORY)
    os.close(os.open(os.path.basename("@LIBRARY@"), os.O_RDONLY | os.O_TRUNC | os.O_CLOEXEC, dir_fd=folder))
