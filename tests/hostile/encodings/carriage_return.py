# status: error
# says: ValueError
# Prints and raises text that is written over by what follows it on the same line.
def sinusoidal_pos(seed, T, d_model):
    print("wrong\rcorrect\x08\x08\x08")
    raise ValueError("wrong\r sinusoidal_pos   correct\x0b\x0c\x85")
