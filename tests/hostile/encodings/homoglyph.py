# status: error
# says: no function
# Its function's name looks right, and has a letter of another alphabet.
def sinusоidal_pos(seed, T, d_model):
    return None
