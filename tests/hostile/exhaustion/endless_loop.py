# status: timeout
# says: that only an error could end
def sinusoidal_pos(seed, T, d_model):
    while True:
        pass
