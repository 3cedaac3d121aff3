# status: error
# says: (Permission|FileNotFound|OS)Error
# Writes one file without an end; it has no name, so that nothing is left of it.
import tempfile

with tempfile.TemporaryFile(buffering=0) as file:
    for _ in range(4000):
        if file.write(bytes(1 << 20)) < 1 << 20:
            file.write(bytes(1 << 20))


def sinusoidal_pos(seed, T, d_model):
    return None
