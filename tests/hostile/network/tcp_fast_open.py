# status: error
# says: PermissionError
# tiers: A B
# Sends with the connection's first packet (MSG_FASTOPEN), so that connect is never called.
import socket


def sinusoidal_pos(seed, T, d_model):
    socket.socket().sendto(b"here", 0x20000000, ("127.0.0.1", @PORT@))
