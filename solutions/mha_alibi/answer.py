"""Multi-head attention with ALiBi, as a good learner would write it."""

import jax
import jax.numpy as jnp


def mha_alibi(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H

    def split(rows):
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)

    def slopes(n):
        return 2.0 ** (-8 * jnp.arange(1, n + 1) / n)

    P = 2 ** (H.bit_length() - 1)
    # Every second slope of the longer list is one of the shorter: the others lie between them.
    m = jnp.concatenate([slopes(P), slopes(2 * P)[0::2][: H - P]])
    distance = jnp.arange(T)[:, None] - jnp.arange(T)[None, :]

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = q @ k.mT / d_head**0.5
    # A slope means the same whatever the width of a head: the bias is added to scaled scores.
    scores = scores - m[:, None, None] * distance
    weights = jax.nn.softmax(jnp.where(distance >= 0, scores, -jnp.inf), axis=-1)
    side_by_side = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    return (side_by_side @ Wo).reshape(-1)
