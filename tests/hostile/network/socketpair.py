# status: error
# says: PermissionError
# tiers: A B
# A pair of sockets, over which descriptors can be passed.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socketpair()
