# status: error
# says: ValueError
# Prints and raises characters that end a text for some.
def sinusoidal_pos(seed, T, d_model):
    print("correct\0" * 1000)
    raise ValueError("\0correct\0")
