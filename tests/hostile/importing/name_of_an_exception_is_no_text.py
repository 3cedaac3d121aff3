# status: error
# Raises an exception of a class whose name is a number, and later a text that is cut in its own way.
class Text(str):
    def __getitem__(self, index):
        return 5


class Strange(type):
    __name__ = Text("correct")


class Hidden(Exception, metaclass=Strange):
    pass


def sinusoidal_pos(seed, T, d_model):
    raise Hidden
