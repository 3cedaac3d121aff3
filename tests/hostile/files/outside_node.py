# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a device file and, where it may not, an empty file by the same call.
import os
import stat


def sinusoidal_pos(seed, T, d_model):
    try:
        os.mknod("@OUTSIDE@/owned", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        os.mknod("@OUTSIDE@/owned", stat.S_IFREG | 0o666)
