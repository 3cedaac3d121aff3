# status: error
# says: xxx
# Raises an exception whose message has fifty million letters.
class Long(Exception):
    def __str__(self):
        return "x" * 50000000


def sinusoidal_pos(seed, T, d_model):
    raise Long
