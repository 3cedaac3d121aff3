# status: error
# says: PermissionError
# tiers: A B
# Talks to the kernel about its network.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
