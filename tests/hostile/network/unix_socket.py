# status: error
# says: PermissionError
# tiers: A B
# Listens on a path where others find it.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_UNIX).bind("@OUTSIDE@/listens")
