# status: error
# says: cannot be shown
# The message of an exception is nested too deeply to be written.
def sinusoidal_pos(seed, T, d_model):
    deep = []
    for _ in range(100000):
        deep = [deep]
    raise ValueError(deep)
