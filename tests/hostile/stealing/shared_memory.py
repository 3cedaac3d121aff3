# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# at A: status=wrong pitfalls=not-an-array
# Looks at what others have put into /dev/shm and opens one of its own there.
import os


def sinusoidal_pos(seed, T, d_model):
    print(os.listdir("/dev/shm"))
    with open("/dev/shm/left-@MARK@", "w") as file:
        file.write("here")
