# status: wrong
# pitfalls: not-an-array
# Says that it wraps itself.
def sinusoidal_pos(seed, T, d_model):
    return None


sinusoidal_pos.__wrapped__ = sinusoidal_pos
