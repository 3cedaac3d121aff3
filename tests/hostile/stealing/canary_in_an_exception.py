# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file of the user's and lets its content out in an exception.
def sinusoidal_pos(seed, T, d_model):
    raise ValueError(open("@CANARY@").read())
