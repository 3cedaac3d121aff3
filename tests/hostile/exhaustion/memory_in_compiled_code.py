# status: memory
# says: more than|more memory
# A compiled program of small size needs 4 GB while it runs.
import jax
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jax.lax.sort(jnp.arange(1 << 30, dtype=jnp.float32) * -1)[: T * d_model]
