# status: wrong
# pitfalls: not-an-array
# An object that turns itself into an array of JAX's when asked, and is asked by nobody.
import jax.numpy as jnp


class Lazy:
    def __jax_array__(self):
        return jnp.zeros(6)

    def __array_interface__(self):
        raise SystemExit(0)

    def __getattr__(self, name):
        raise SystemExit(0)


def sinusoidal_pos(seed, T, d_model):
    return Lazy()
