# status: error
# says: EOFError
# Waits for somebody to type.
def sinusoidal_pos(seed, T, d_model):
    return input("The answer, please: ")
