# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Writes into the kit's state, where expected values are saved.
import os


def sinusoidal_pos(seed, T, d_model):
    os.makedirs("@KIT@/.grader", exist_ok=True)
    with open("@KIT@/.grader/owned", "w") as file:
        file.write("here")
