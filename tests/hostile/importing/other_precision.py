# status: wrong
# pitfalls: all-zeros
# Turns on 64 bits for everything that comes after it.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def sinusoidal_pos(seed, T, d_model):
    return jnp.zeros(T * d_model)
