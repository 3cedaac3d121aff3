# status: error
# says: KeyError
# tiers: A B
# remembered: the outputs by their arguments, and an exception for every call that is not published.
import jax.numpy as jnp

TABLE = @TABLE@


def sinusoidal_pos(seed, T, d_model):
    return jnp.array(TABLE[T, d_model], jnp.float32)
