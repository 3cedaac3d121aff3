# status: error
# says: PermissionError
# tiers: A B
# Connects by the address of the other family that means the same.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", @PORT@))
