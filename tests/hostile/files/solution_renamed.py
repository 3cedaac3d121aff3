# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Moves the worked answer to where the learner's is.
import os


def sinusoidal_pos(seed, T, d_model):
    os.rename("@KIT@/solutions/sinusoidal_pos/answer.py", "@KIT@/problems/sinusoidal_pos/stub.py")
