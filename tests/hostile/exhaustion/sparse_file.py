# status: error
# says: (Permission|FileNotFound|OS)Error
# A file of a terabyte that takes no room, until somebody copies it; it has no name.
import tempfile

with tempfile.TemporaryFile() as file:
    file.truncate(1 << 40)


def sinusoidal_pos(seed, T, d_model):
    return None
