"""Cosine similarity of every two positions, as a good learner would write it."""

import jax.numpy as jnp


def position_similarity(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    # The order of the dimensions changes no similarity, so sines and cosines may stay in two halves.
    table = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)
    # Once every row has length 1, a dot product of two rows is the cosine of their angle.
    rows = table / jnp.linalg.norm(table, axis=1, keepdims=True)
    return (rows @ rows.T).reshape(-1)
