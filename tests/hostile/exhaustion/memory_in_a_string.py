# status: memory
# says: more
# Doubles a string until there is no more memory.
def sinusoidal_pos(seed, T, d_model):
    text = "x"
    while True:
        text += text
