"""A small GPT, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, d_model: int, heads: int, *, rngs: nnx.Rngs):
        self.ln1 = nnx.LayerNorm(d_model, rngs=rngs)
        self.attn = nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs)
        self.ln2 = nnx.LayerNorm(d_model, rngs=rngs)
        self.up = nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        self.down = nnx.Linear(4 * d_model, d_model, rngs=rngs)

    def __call__(self, x, mask):
        h = x + self.attn(self.ln1(x), mask=mask)
        return h + self.down(jax.nn.gelu(self.up(self.ln2(h)), approximate=False))


class GPT(nnx.Module):
    def __init__(self, vocabulary: int, d_model: int, heads: int, depth: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next numbers of the stream.
        self.embed = nnx.Embed(vocabulary, d_model, rngs=rngs)
        self.blocks = nnx.List([Block(d_model, heads, rngs=rngs) for _ in range(depth)])
        self.norm = nnx.LayerNorm(d_model, rngs=rngs)

    def __call__(self, tokens):
        d_model = self.embed.features
        x = self.embed(tokens) * d_model**0.5 + positions(tokens.shape[-1], d_model)
        mask = nnx.make_causal_mask(tokens)
        for block in self.blocks:
            x = block(x, mask)
        # One matrix twice: a token's row is what it means as input, and what is looked for as output.
        return self.embed.attend(self.norm(x))


def positions(T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)


def mini_gpt(seed, B, T, V, d_model, H, L):
    tokens = jax.random.randint(jax.random.key(seed), (B, T), 0, V, dtype=jnp.int32)
    rngs = nnx.Rngs(jax.random.key(seed))
    return GPT(V, d_model, H, L, rngs=rngs)(tokens).reshape(-1)
