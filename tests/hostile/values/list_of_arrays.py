# status: wrong
# pitfalls: not-an-array
# A list of arrays, one for each position.
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return [jnp.zeros(d_model) for _ in range(T)]
