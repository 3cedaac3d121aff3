"""Dropout on tokens with positions, as a good learner would write it."""

import jax
import jax.numpy as jnp


def positional_dropout(seed, B, T, d_model, rate):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)

    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    evaluation = x + encoding
    keep = jax.random.bernoulli(k2, 1 - rate, (B, T, d_model))
    # The survivors grow, so that the mean of a number over many masks is the number itself.
    training = jnp.where(keep, evaluation / (1 - rate), 0.0)
    return jnp.stack([training, evaluation]).reshape(-1)
