# status: error
# says: PermissionError
# tiers: A B
# Sends a packet, as a lookup of names does.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"here", ("127.0.0.1", @PORT@))
