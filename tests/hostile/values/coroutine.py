# status: wrong
# pitfalls: not-an-array
# A function that has to be waited for.
async def sinusoidal_pos(seed, T, d_model):
    return None
