# status: wrong
# pitfalls: not-flattened wrong-length
# A number, as an array without an axis.
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.sum(jnp.zeros(T * d_model))
