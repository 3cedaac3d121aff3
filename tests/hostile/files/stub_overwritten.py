# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Overwrites the learner's own work.
def sinusoidal_pos(seed, T, d_model):
    with open("@KIT@/problems/sinusoidal_pos/stub.py", "a") as file:
        file.write("\n# owned\n")
