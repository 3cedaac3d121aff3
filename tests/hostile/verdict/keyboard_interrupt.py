# status: error
# says: KeyboardInterrupt
def sinusoidal_pos(seed, T, d_model):
    raise KeyboardInterrupt
