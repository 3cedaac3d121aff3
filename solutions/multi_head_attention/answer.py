"""Multi-head attention, as a good learner would write it."""

import jax
import jax.numpy as jnp


def multi_head_attention(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H

    def split(rows):
        # The last axis is cut into heads where it stands; only then does the heads' axis move to the front.
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = q @ k.mT / d_head**0.5
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    side_by_side = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    return (side_by_side @ Wo).reshape(-1)
