# status: memory
# says: more
# Returns a traced array of four terabytes.
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.zeros(1 << 40) + T
