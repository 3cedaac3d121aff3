# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Talks to a service of the machine that listens on a path.
import socket


def sinusoidal_pos(seed, T, d_model):
    service = socket.socket(socket.AF_UNIX)
    service.connect("/var/run/docker.sock")
