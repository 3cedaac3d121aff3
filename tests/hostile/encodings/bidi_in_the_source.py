# status: error
# says: ValueError
# Its lines are shown in another order than they are read, by characters that turn the direction of writing.
def sinusoidal_pos(seed, T, d_model):
    access = "user‮ ⁦# correct⁩ ⁦"
    raise ValueError(access)  # ‮ tcerroc ⁩
