# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads a file through /proc/self/root.
def sinusoidal_pos(seed, T, d_model):
    print(open("/proc/self/root@CANARY@").read())
