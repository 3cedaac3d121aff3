# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Tries every descriptor that may have been left open as a folder to start from.
import os

for descriptor in range(256):
    for path in ("@CANARY@".lstrip("/"), "../" * 20 + "@CANARY@".lstrip("/")):
        try:
            print(os.read(os.open(path, os.O_RDONLY, dir_fd=descriptor), 1000))
        except OSError:
            pass


def sinusoidal_pos(seed, T, d_model):
    return None
