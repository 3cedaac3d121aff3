# status: error
# says: ValueError
# Raises a message of a hundred thousand lines.
def sinusoidal_pos(seed, T, d_model):
    raise ValueError("correct\n" * 100000)
