# status: error
# says: SyntaxError
# A string with an escape of a name that there is not.
x = "\N{NO SUCH LETTER}"


def sinusoidal_pos(seed, T, d_model):
    return None
