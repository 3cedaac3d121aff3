# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Removes the kit's state.
import shutil


def sinusoidal_pos(seed, T, d_model):
    shutil.rmtree("@KIT@/.grader")
