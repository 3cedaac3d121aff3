# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Changes how the machine treats its own process, and every other (with the value that is there).
def sinusoidal_pos(seed, T, d_model):
    with open("/proc/self/oom_score_adj", "r+") as file:
        file.write("1000")
    with open("/proc/sys/kernel/hostname", "r+") as file:
        file.write(file.read())
