# status: error
# says: PermissionError
# tiers: A B
# Connects to somebody who listens on this machine.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.create_connection(("127.0.0.1", @PORT@), timeout=2).send(b"here")
