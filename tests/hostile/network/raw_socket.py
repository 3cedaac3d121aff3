# status: error
# says: PermissionError
# tiers: A B
# Reads everything that passes.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
