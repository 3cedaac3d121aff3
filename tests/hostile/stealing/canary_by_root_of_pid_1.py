# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file through the root folder of process 1.
def sinusoidal_pos(seed, T, d_model):
    print(open("/proc/1/root@CANARY@").read())
