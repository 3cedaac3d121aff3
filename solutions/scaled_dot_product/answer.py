"""Scaled dot-product attention, as a good learner would write it."""

import jax
import jax.numpy as jnp


def scaled_dot_product(seed, T, d_model):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)

    scores = q @ k.T / d_model**0.5
    # A row belongs to a query: its weights, over all keys, add up to 1.
    weights = jax.nn.softmax(scores, axis=-1)
    return (weights @ v).reshape(-1)
