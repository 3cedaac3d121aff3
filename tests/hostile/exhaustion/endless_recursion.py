# status: error
# says: RecursionError
def sinusoidal_pos(seed, T, d_model):
    return sinusoidal_pos(seed, T, d_model)
