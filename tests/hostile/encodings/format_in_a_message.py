# status: error
# says: ValueError
# Raises a message that would be filled in by those who format twice.
def sinusoidal_pos(seed, T, d_model):
    raise ValueError("{0.__class__.__mro__} {verdict} %s %n %(x)s ${HOME} `id` $(id)")
