"""Many layers under one scan, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class Layer(nnx.Module):
    def __init__(self, d: int, *, rngs: nnx.Rngs):
        self.linear = nnx.Linear(d, d, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        return x + jnp.tanh(self.linear(x))


def scan_layers(seed, L, T, d):
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)

    # Without the split, all layers would draw the same weights.
    @nnx.split_rngs(splits=L)
    @nnx.vmap(in_axes=0, out_axes=0)
    def make(rngs):
        return Layer(d, rngs=rngs)

    @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
    def forward(x, layer):
        return layer(x)

    layers = make(nnx.Rngs(jax.random.key(seed)))
    return forward(x, layers).reshape(-1)
