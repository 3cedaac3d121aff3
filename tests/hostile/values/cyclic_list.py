# status: wrong
# pitfalls: not-an-array
# A list that holds itself.
def sinusoidal_pos(seed, T, d_model):
    values = []
    values.append(values)
    return values
