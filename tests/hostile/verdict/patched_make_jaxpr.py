# status: wrong
# pitfalls: all-zeros
# Tracing is replaced by something that traces nothing.
import jax
import numpy as np

jax.make_jaxpr = lambda function, *args, **kwargs: lambda *values: None


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
