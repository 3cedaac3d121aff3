# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Sends by the handlers of the standard library, which hide that they could not.
import logging.handlers

logging.raiseExceptions = False
log = logging.getLogger("@MARK@")
log.addHandler(logging.handlers.DatagramHandler("127.0.0.1", @PORT@))
log.addHandler(logging.handlers.SocketHandler("127.0.0.1", @PORT@))
log.addHandler(logging.handlers.HTTPHandler("127.0.0.1:@PORT@", "/", "POST"))
log.error("here")


def sinusoidal_pos(seed, T, d_model):
    return None
