"""A transformer block, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, d_model: int, heads: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next numbers of the stream.
        self.ln1 = nnx.LayerNorm(d_model, rngs=rngs)
        self.attn = nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs)
        self.ln2 = nnx.LayerNorm(d_model, rngs=rngs)
        self.up = nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        self.down = nnx.Linear(4 * d_model, d_model, rngs=rngs)

    def __call__(self, x, mask):
        h = x + self.attn(self.ln1(x), mask=mask)
        # The default of jax.nn.gelu is the tanh approximation.
        return h + self.down(jax.nn.gelu(self.up(self.ln2(h)), approximate=False))


def transformer_block(seed, T, d_model, H):
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    block = Block(d_model, H, rngs=rngs)
    return block(x, nnx.make_causal_mask(jnp.ones(T))).reshape(-1)
