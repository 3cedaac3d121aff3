# status: wrong
# pitfalls: not-an-array
# The word itself.
def sinusoidal_pos(seed, T, d_model):
    return "correct"
