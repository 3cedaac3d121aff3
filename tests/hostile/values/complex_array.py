# status: wrong
# pitfalls: wrong-dtype
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.full(T * d_model, 1j)
