# status: wrong
# pitfalls: not-finite
# Infinite values, whose difference from anything may count as none.
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.where(jnp.arange(T * d_model) % 2 == 0, jnp.inf, -jnp.inf)
