# status: error
# says: ValueError
# Prints and raises half a character, which cannot be written in UTF-8.
def sinusoidal_pos(seed, T, d_model):
    print("\ud83d")
    raise ValueError("here \ud83d \udcff")
