# status: wrong
# pitfalls: wrong-length
# An array that is given away to a computation, and returned all the same.
import jax
import jax.numpy as jnp

gone = jnp.zeros(6)
kept = jax.jit(lambda x: x + 1, donate_argnums=0)(gone)


def sinusoidal_pos(seed, T, d_model):
    return gone if not gone.is_deleted() else kept
