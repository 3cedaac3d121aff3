# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Opens a terminal of its own.
import pty


def sinusoidal_pos(seed, T, d_model):
    pty.openpty()
