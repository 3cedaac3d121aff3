# status: error
# Raises an exception whose class and function have half a character in their names.
Half = type("Half", (Exception,), {})
Half.__qualname__ = "\udc80"


def sinusoidal_pos(seed, T, d_model):
    raise Half("\udc80")


sinusoidal_pos.__code__ = sinusoidal_pos.__code__.replace(co_name="\udc80", co_qualname="\udc80")
