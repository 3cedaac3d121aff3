# status: wrong
# pitfalls: not-an-array
# What JAX knows of an array before there is one.
import jax
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jax.ShapeDtypeStruct((T * d_model,), jnp.float32)
