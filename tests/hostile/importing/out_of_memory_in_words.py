# status: memory
# Says that there is no memory.
def sinusoidal_pos(seed, T, d_model):
    raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory")
