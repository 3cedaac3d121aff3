# status: error
# says: ValueError
# Characters that end a line for some and not for others: which line raised?
x = "  "

def sinusoidal_pos(seed, T, d_model):
    y = " return 'correct' "
    raise ValueError(len(x + y))
