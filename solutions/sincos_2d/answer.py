"""Sine and cosine positions of a grid, as a good learner would write it."""

import jax.numpy as jnp


def sincos_2d(seed, height, width, d_model):
    half = d_model // 2  # the dimensions that each coordinate gets
    omega = 10000.0 ** (-2 * jnp.arange(half // 2) / half)

    def encode(n):
        angles = jnp.arange(n)[:, None] * omega
        return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(n, half)

    # One row of y for every x, and one of x for every y: (height, width, half) both.
    y = jnp.broadcast_to(encode(height)[:, None], (height, width, half))
    x = jnp.broadcast_to(encode(width)[None, :], (height, width, half))
    return jnp.concatenate([y, x], axis=-1).reshape(-1)
