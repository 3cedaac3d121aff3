# status: error
# says: (Permission|FileNotFound|OS)Error
# Reserves room on the disk without writing (posix_fallocate).
import os
import tempfile

with tempfile.TemporaryFile() as file:
    os.posix_fallocate(file.fileno(), 0, 1 << 33)


def sinusoidal_pos(seed, T, d_model):
    return None
