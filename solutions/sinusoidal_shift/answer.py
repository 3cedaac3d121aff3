"""A shift of the encoding as a matrix, as a good learner would write it."""

import jax.numpy as jnp


def sinusoidal_shift(seed, d_model, delta):
    even = jnp.arange(0, d_model, 2)  # where the sines stand; it is also 2k, for pair k
    odd = even + 1
    angles = delta * 10000.0 ** (-even / d_model)
    # The angle-addition formulas: each new sine and cosine mixes the two old ones of its own pair, and no others.
    matrix = jnp.zeros((d_model, d_model))
    matrix = matrix.at[even, even].set(jnp.cos(angles))
    matrix = matrix.at[even, odd].set(jnp.sin(angles))
    matrix = matrix.at[odd, even].set(-jnp.sin(angles))
    matrix = matrix.at[odd, odd].set(jnp.cos(angles))
    return matrix.reshape(-1)
