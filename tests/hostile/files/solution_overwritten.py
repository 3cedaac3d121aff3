# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Changes the reference, so that the next answer is compared with another truth.
def sinusoidal_pos(seed, T, d_model):
    with open("@KIT@/solutions/sinusoidal_pos/answer.py", "a") as file:
        file.write("\n# owned\n")
