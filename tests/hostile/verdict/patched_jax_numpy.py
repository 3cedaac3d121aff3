# status: wrong
# pitfalls: all-equal
import jax.numpy as jnp

jnp.sin, jnp.cos, jnp.stack = jnp.zeros_like, jnp.ones_like, None


def sinusoidal_pos(seed, T, d_model):
    return jnp.sin(jnp.arange(T * d_model, dtype=jnp.float32)) + 0.5
