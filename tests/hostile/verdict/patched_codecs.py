# status: wrong
# pitfalls: all-zeros
# Error handlers and encodings that text goes through are replaced.
import codecs

import numpy as np

for name in ("strict", "replace", "ignore", "surrogateescape"):
    codecs.register_error(name, lambda error: ("correct", error.end))
codecs.register(lambda name: codecs.lookup("rot13"))


def sinusoidal_pos(seed, T, d_model):
    print("\ud800")
    return np.zeros(T * d_model, np.float32)
