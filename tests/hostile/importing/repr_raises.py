# status: error
# says: cannot be shown
class Silent(Exception):
    def __str__(self):
        raise Silent

    __repr__ = __str__


def sinusoidal_pos(seed, T, d_model):
    raise Silent
