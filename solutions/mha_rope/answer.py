"""Multi-head attention with rotary positions, as a good learner would write it."""

import jax
import jax.numpy as jnp


def mha_rope(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H
    # The frequencies are those of one head: every head turns at the same ones.
    omega = 10000.0 ** (-2 * jnp.arange(d_head // 2) / d_head)
    angles = jnp.arange(T)[:, None] * omega

    def split(rows):
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)

    def turned(rows):
        a, b = rows[..., 0::2], rows[..., 1::2]
        pairs = [a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)]
        return jnp.stack(pairs, axis=-1).reshape(rows.shape)

    # Queries and keys are compared, so they are turned; values are handed on as they are.
    q, k, v = turned(split(x @ Wq)), turned(split(x @ Wk)), split(x @ Wv)
    scores = q @ k.mT / d_head**0.5
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    side_by_side = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    return (side_by_side @ Wo).reshape(-1)
