# status: error
# says: ValueError
def sinusoidal_pos(seed, T, d_model):
    print("\x1b]0;owned\x07\x1b[2J")
    raise ValueError("\x1b[2Jcorrect")
