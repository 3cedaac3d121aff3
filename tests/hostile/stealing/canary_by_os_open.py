# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file by os.open, relative to a descriptor of the root folder.
import os


def sinusoidal_pos(seed, T, d_model):
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    print(os.read(os.open("@CANARY@".lstrip("/"), os.O_RDONLY, dir_fd=root), 1000))
