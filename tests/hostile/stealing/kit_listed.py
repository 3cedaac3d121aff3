# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Lists the kit's folder: what is there is already more than an answer need know.
import os

print(os.listdir("@KIT@"), os.listdir("@KIT@/solutions"))


def sinusoidal_pos(seed, T, d_model):
    return None
