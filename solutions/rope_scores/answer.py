"""Attention scores of rotated queries and keys, as a good learner would write it."""

import jax
import jax.numpy as jnp


def rope_scores(seed, T, d_head, offset):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key)
    q = jax.random.normal(k1, (T, d_head), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_head), dtype=jnp.float32)

    omega = 10000.0 ** (-2 * jnp.arange(d_head // 2) / d_head)
    angles = (jnp.arange(T) + offset)[:, None] * omega

    def turned(x):
        a, b = x[:, 0::2], x[:, 1::2]
        pairs = [a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)]
        return jnp.stack(pairs, axis=-1).reshape(T, d_head)

    # Both sides by the same function: only then do the absolute positions cancel.
    return (turned(q) @ turned(k).T / d_head**0.5).reshape(-1)
