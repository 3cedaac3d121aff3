"""Sinusoids with a learned correction, as a good learner would write it."""

import jax
import jax.numpy as jnp


def hybrid_pos(seed, T, max_len, d_model):
    table = jax.random.normal(jax.random.key(seed), (max_len, d_model), dtype=jnp.float32)

    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    # Both ends can be the shorter one. No index leaves the table, so nothing is clamped.
    known = min(T, max_len)
    return encoding.at[:known].add(table[:known]).reshape(-1)
