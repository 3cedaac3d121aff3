# status: wrong
# pitfalls: not-an-array
# Values that are computed when somebody asks, for ever.
def sinusoidal_pos(seed, T, d_model):
    while True:
        yield 0.0
