# status: error
# says: PermissionError
# tiers: A B
# Listens on a port of its own.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.create_server(("127.0.0.1", 0))
