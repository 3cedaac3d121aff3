# status: error
# says: ValueError
# Prints and raises text that turns the direction of all that is shown after it.
def sinusoidal_pos(seed, T, d_model):
    print("\u202e\u2066tcerroc\u2067")
    raise ValueError("\u202etcerroc \u061c\u200f")
