"""Decoding with a cache of keys and values, as a good learner would write it."""

import jax
import jax.numpy as jnp


def kv_cache_decode(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    d_head = d_model // H

    def step(cache, t_and_row):
        t, row = t_and_row
        query, key, value = ((row @ W).reshape(H, d_head) for W in (Wq, Wk, Wv))
        # Stored first and read afterwards: the newest token sees itself.
        cache_k, cache_v = cache
        cache_k = cache_k.at[t].set(key)
        cache_v = cache_v.at[t].set(value)
        scores = jnp.einsum("hd,shd->hs", query, cache_k) / d_head**0.5
        # A slot that holds nothing yet has the score 0, which would get its share: it has to be hidden.
        weights = jax.nn.softmax(jnp.where(jnp.arange(T) <= t, scores, -jnp.inf), axis=-1)
        heads = jnp.einsum("hs,shd->hd", weights, cache_v)
        return (cache_k, cache_v), heads.reshape(d_model) @ Wo

    empty = jnp.zeros((T, H, d_head))
    _, rows = jax.lax.scan(step, (empty, empty), (jnp.arange(T), x))
    return rows.reshape(-1)
