# status: wrong
# pitfalls: not-finite
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.full(T * d_model, jnp.nan)
