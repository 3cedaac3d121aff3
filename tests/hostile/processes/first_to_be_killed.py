# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Says of another process that it is the first to go when memory runs out, and one of a slow group.
def sinusoidal_pos(seed, T, d_model):
    for name, text in (("oom_score_adj", "1000"), ("autogroup", "19")):
        with open("/proc/@PID@/" + name, "w") as file:
            file.write(text)
