"""A shift of the encoding as a matrix, as a good learner would write it."""

import jax.numpy as jnp


def sinusoidal_shift(seed, d_model, delta):
    d_model, delta = int(d_model), int(delta)
    sines = jnp.arange(0, d_model, 2)
    cosines = sines + 1
    angles = delta * 10000.0 ** (-sines / d_model)
    # The sum formulas: each new sine and cosine mixes the two old ones of its own pair, and no others.
    matrix = jnp.zeros((d_model, d_model))
    matrix = matrix.at[sines, sines].set(jnp.cos(angles))
    matrix = matrix.at[sines, cosines].set(jnp.sin(angles))
    matrix = matrix.at[cosines, sines].set(-jnp.sin(angles))
    matrix = matrix.at[cosines, cosines].set(jnp.cos(angles))
    return matrix.reshape(-1)
