# status: error
# says: FloatingPointError
# Has JAX raise at the first value that is no number.
import jax
import jax.numpy as jnp

jax.config.update("jax_debug_nans", True)


def sinusoidal_pos(seed, T, d_model):
    return jnp.log(jnp.zeros(T * d_model) - 1)
