# status: error
# says: StopIteration
# Raises what ends loops.
def sinusoidal_pos(seed, T, d_model):
    raise StopIteration("correct")
