# status: timeout
# says: still running
# Has XLA compile one program of very many operations, when the file is loaded.
import jax
import jax.numpy as jnp


def long(x):
    for i in range(30000):
        x = jnp.sin(x) + i
    return x


jax.jit(long)(jnp.zeros(4))
def sinusoidal_pos(seed, T, d_model):
    return None
