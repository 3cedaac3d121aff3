# status: error
# says: ValueError
# Raises in a function, of a class, both with names of a hundred thousand letters.
def sinusoidal_pos(seed, T, d_model):
    raise type("x" * 100000, (ValueError,), {})("y" * 100000)


sinusoidal_pos.__code__ = sinusoidal_pos.__code__.replace(co_name="z" * 100000)
