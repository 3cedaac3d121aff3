# status: error
# says: (ModuleNotFound|Permission|Import)Error
# tiers: A B
# Imports the worked answer by its folder.
import sys

sys.path.insert(0, "@KIT@/solutions/sinusoidal_pos")
import reference


def sinusoidal_pos(seed, T, d_model):
    return reference.sinusoidal_pos(seed, T, d_model)
