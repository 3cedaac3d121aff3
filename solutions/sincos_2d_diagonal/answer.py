"""Sine and cosine positions along the diagonals of a grid, as a good learner would write it."""

import jax.numpy as jnp


def sincos_2d_diagonal(seed, height, width, d_model):
    half = d_model // 2  # the dimensions that each diagonal gets
    omega = 10000.0 ** (-2 * jnp.arange(half // 2) / half)
    y = jnp.arange(height)[:, None]
    x = jnp.arange(width)[None, :]

    def encode(position):
        # Works for negative positions too: it computes, where a table could only be looked up.
        angles = position[..., None] * omega
        return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(height, width, half)

    return jnp.concatenate([encode(x + y), encode(x - y)], axis=-1).reshape(-1)
