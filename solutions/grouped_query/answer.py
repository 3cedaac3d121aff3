"""Grouped-query attention, as a good learner would write it."""

import jax
import jax.numpy as jnp


def grouped_query(seed, T, d_model, H, G):
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    d_head = d_model // H
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wv = jax.random.normal(k4, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wo = jax.random.normal(k5, (d_model, d_model), dtype=jnp.float32) / d_model**0.5

    # The query heads of a group stand side by side, so the heads' axis splits into groups and the heads of each.
    # Nothing is copied: the group's axis is what queries and keys have in common.
    q = (x @ Wq).reshape(T, G, H // G, d_head)
    k = (x @ Wk).reshape(T, G, d_head)
    v = (x @ Wv).reshape(T, G, d_head)
    scores = jnp.einsum("tgrd,sgd->grts", q, k) / d_head**0.5
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    answers = jnp.einsum("grts,sgd->tgrd", weights, v)
    return (answers.reshape(T, d_model) @ Wo).reshape(-1)
