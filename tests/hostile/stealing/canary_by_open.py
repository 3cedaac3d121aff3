# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file of the user's.
def sinusoidal_pos(seed, T, d_model):
    print(open("@CANARY@").read())
