"""A first module of Flax, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class MyLinear(nnx.Module):
    def __init__(self, d_in: int, d_out: int, *, rngs: nnx.Rngs):
        self.kernel = nnx.Param(jax.random.normal(rngs.params(), (d_in, d_out)) / d_in**0.5)
        self.bias = nnx.Param(0.1 * jax.random.normal(rngs.params(), (d_out,)))

    def __call__(self, x: jax.Array) -> jax.Array:
        return x @ self.kernel[...] + self.bias[...]


def nnx_linear(seed, N, d_in, d_hidden, d_out):
    x = jax.random.normal(jax.random.key(seed), (N, d_in), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    first = MyLinear(d_in, d_hidden, rngs=rngs)
    second = MyLinear(d_hidden, d_out, rngs=rngs)
    return second(jnp.tanh(first(x))).reshape(-1)
