# status: wrong
# pitfalls: all-equal wrong-dtype
# Truths where numbers are due.
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.ones(T * d_model, bool)
