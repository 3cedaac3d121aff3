# status: error
# says: ValueError
# Raises exceptions that are each other's cause.
def sinusoidal_pos(seed, T, d_model):
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    one.__context__, other.__context__ = other, one
    raise one
