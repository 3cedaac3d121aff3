# status: error
# says: deleted
# An array whose memory has been given back.
import jax.numpy as jnp

gone = jnp.zeros(6)
gone.delete()


def sinusoidal_pos(seed, T, d_model):
    return gone
