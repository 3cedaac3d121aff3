# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads the environment of every process that it sees, but its own.
import os


def sinusoidal_pos(seed, T, d_model):
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            print(open(f"/proc/{name}/environ", "rb").read())
