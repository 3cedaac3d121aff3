# status: wrong
# pitfalls: not-an-array
# A sparse array of JAX's own.
import jax.numpy as jnp
from jax.experimental import sparse


def sinusoidal_pos(seed, T, d_model):
    return sparse.BCOO.fromdense(jnp.zeros(2))
