# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a file in a folder that anybody may write to.
def sinusoidal_pos(seed, T, d_model):
    with open("@OUTSIDE@/owned", "w") as file:
        file.write("here")
