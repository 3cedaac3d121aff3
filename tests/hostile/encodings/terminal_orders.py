# status: error
# says: ValueError
# Prints and raises orders to a terminal, in both forms, also such as make it answer.
def sinusoidal_pos(seed, T, d_model):
    orders = "\x9b2J\x9d0;correct\x9c\x1bP+q\x1b\\\x1b[6n\x1b]52;c;Y29ycmVjdA==\x07\x1b[?1049h\x1bc\x1b]8;;http://x/\x07"
    print(orders)
    raise ValueError(orders)
