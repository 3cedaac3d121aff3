"""Tokens and their positions in one array, as a good learner would write it."""

import jax
import jax.numpy as jnp


def embed_tokens(seed, B, T, V, d_model):
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (B, T), 0, V, dtype=jnp.int32)
    table = jax.random.normal(k2, (V, d_model), dtype=jnp.float32)

    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    # (B, T, d_model) + (T, d_model): every sequence gets the same positions.
    x = table[tokens] * d_model**0.5 + encoding
    # Blank last: a position added after the mask would still be there.
    return jnp.where((tokens == 0)[:, :, None], 0.0, x).reshape(-1)
