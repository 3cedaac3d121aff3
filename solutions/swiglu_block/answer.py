"""A gated feed-forward block, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class SwiGLU(nnx.Module):
    def __init__(self, d_model: int, d_ff: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next number of the stream.
        self.norm = nnx.RMSNorm(d_model, rngs=rngs)
        self.gate = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        self.up = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        self.down = nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        normed = self.norm(x)
        return x + self.down(jax.nn.silu(self.gate(normed)) * self.up(normed))


def swiglu_block(seed, T, d_model, d_ff):
    x = 1 + jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    block = SwiGLU(d_model, d_ff, rngs=nnx.Rngs(jax.random.key(seed)))
    return block(x).reshape(-1)
