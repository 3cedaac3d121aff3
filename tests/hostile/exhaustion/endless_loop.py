# status: timeout
# says: still running
def sinusoidal_pos(seed, T, d_model):
    while True:
        pass
