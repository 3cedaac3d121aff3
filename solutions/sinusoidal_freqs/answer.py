"""Frequencies and wavelengths of the sinusoidal encoding, as a good learner would write it."""

import jax.numpy as jnp


def sinusoidal_freqs(seed, d_model):
    pairs = jnp.arange(d_model // 2)
    # Equal steps of the exponent make equal ratios: the frequencies form a geometric series.
    frequencies = 10000.0 ** (-2 * pairs / d_model)
    # One whole turn is 2 pi radians, so this is how many positions a pair takes to come round.
    wavelengths = 2 * jnp.pi / frequencies
    return jnp.stack([frequencies, wavelengths]).reshape(-1)
