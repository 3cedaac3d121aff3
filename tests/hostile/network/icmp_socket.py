# status: error
# says: PermissionError
# tiers: A B
# Sends an echo request, which many may without being root.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
