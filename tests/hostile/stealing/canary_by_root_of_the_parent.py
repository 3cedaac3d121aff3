# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file through the root or the working folder of the parent.
import os


def sinusoidal_pos(seed, T, d_model):
    print(open(f"/proc/{os.getppid()}/root@CANARY@").read())
