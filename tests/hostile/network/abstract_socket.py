# status: error
# says: PermissionError
# tiers: A B
# Listens under a name that is in no folder.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_UNIX).bind("\0@MARK@")
