# status: crash
# says: before it returned
# Raises an exception of a class whose name cannot be asked for.
class Silent(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    @property
    def __mro__(cls):
        raise SystemExit(0)


class Hidden(Exception, metaclass=Silent):
    pass


def sinusoidal_pos(seed, T, d_model):
    raise Hidden
