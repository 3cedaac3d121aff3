# status: timeout
# says: still running
# A program that is short to write and has 2^30 operations once written out.
import jax
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    f = jnp.sin
    for _ in range(30):
        f = jax.jit(lambda x, f=f: f(f(x)))
    return f(jnp.zeros(T * d_model))
