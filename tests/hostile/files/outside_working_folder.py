# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Goes into the folder and makes a file by a relative path.
import os


def sinusoidal_pos(seed, T, d_model):
    os.chdir("@OUTSIDE@")
    open("owned", "w").close()
