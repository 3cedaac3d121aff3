"""Dropout as a module, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class Drop(nnx.Module):
    def __init__(self, rate: float, *, rngs: nnx.Rngs):
        self.rate = rate
        self.rngs = rngs
        # train() and eval() set attributes of this name.
        self.deterministic = False

    def __call__(self, x: jax.Array) -> jax.Array:
        if self.deterministic:
            return x
        keep = jax.random.bernoulli(self.rngs.dropout(), 1 - self.rate, x.shape)
        return jnp.where(keep, x / (1 - self.rate), 0.0)


@nnx.jit
def forward(layer: Drop, x: jax.Array) -> jax.Array:
    return layer(x)


def dropout_streams(seed, N, d, rate):
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    layer = Drop(rate, rngs=rngs)
    first, second = forward(layer, x), forward(layer, x)
    layer.eval()
    return jnp.stack([first, second, forward(layer, x)]).reshape(-1)
