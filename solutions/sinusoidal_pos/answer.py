"""Sinusoidal position encoding, as a good learner would write it."""

import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    T, d_model = int(T), int(d_model)
    positions = jnp.arange(T)[:, None]
    pairs = jnp.arange(d_model // 2)
    angles = positions * 10000.0 ** (-2 * pairs / d_model)
    # Sine and cosine of one pair side by side: (T, d_model / 2, 2), read row by row.
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(-1)
