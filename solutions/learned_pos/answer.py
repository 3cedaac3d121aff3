"""Learned positions, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


def learned_pos(seed, B, T, max_len, d_model):
    x = jax.random.normal(jax.random.key(seed), (B, T, d_model), dtype=jnp.float32)
    table = nnx.Embed(max_len, d_model, rngs=nnx.Rngs(jax.random.key(seed)))

    # A position is looked up like a word: (T,) indices give (T, d_model) rows, the same for every sequence.
    return (x + table(jnp.arange(T))).reshape(-1)
