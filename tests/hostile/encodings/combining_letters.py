# status: error
# says: ValueError
# Raises a message whose letters pile up over the lines above it.
def sinusoidal_pos(seed, T, d_model):
    raise ValueError("c" + "\u0300\u0301\u0488\u20dd" * 500)
