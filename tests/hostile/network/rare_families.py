# status: error
# says: PermissionError|OSError
# tiers: A B
# Asks for sockets of families that a filter may have forgotten: vsock, alg, bluetooth.
import socket


def sinusoidal_pos(seed, T, d_model):
    for family in (40, 38, 31, 16, 29):
        try:
            socket.socket(family, socket.SOCK_STREAM if family == 40 else socket.SOCK_RAW)
        except PermissionError:
            continue
        except OSError:
            raise RuntimeError(f"family {family} was not refused") from None
        raise RuntimeError(f"family {family} was given")
    raise PermissionError("all refused")
