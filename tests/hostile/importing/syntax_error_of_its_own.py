# status: error
# says: cannot be described
# Raises a syntax error whose parts are not what they should be.
def sinusoidal_pos(seed, T, d_model):
    error = SyntaxError("correct")
    error.filename = sinusoidal_pos.__code__.co_filename
    error.lineno, error.text, error.msg = "many", 5, None
    raise error
