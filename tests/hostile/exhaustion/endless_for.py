# status: timeout
# says: still running
# Nothing in the text shows that it never ends.
def sinusoidal_pos(seed, T, d_model):
    for _ in iter(int, 1):
        pass
