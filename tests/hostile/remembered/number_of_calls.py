# status: wrong
# pitfalls: not-deterministic
# Other values with each call, by counting.
import itertools

import jax.numpy as jnp

calls = itertools.count()


def sinusoidal_pos(seed, T, d_model):
    return jnp.full(T * d_model, 1.0 * next(calls))
