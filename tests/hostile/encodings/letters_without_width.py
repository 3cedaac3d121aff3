# status: error
# says: SyntaxError
# A name with a letter that has no width.
def sinusoidal​_pos(seed, T, d_model):
    return None
