# status: error
# says: RecursionError
# Recursion in C: an exception whose argument is nested a hundred thousand deep.
def sinusoidal_pos(seed, T, d_model):
    deep = []
    for _ in range(100000):
        deep = [deep]
    return repr(deep)
