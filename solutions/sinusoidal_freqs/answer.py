"""Frequencies and wavelengths of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Curve, Problem, Whole


def sinusoidal_freqs(seed, d_model):
    pairs = jnp.arange(d_model // 2)
    #: one-based-pairs: pairs = jnp.arange(1, d_model // 2 + 1)
    # Equal steps of the exponent make equal ratios: the frequencies form a geometric series.
    frequencies = 10000.0 ** (-2 * pairs / d_model)
    #: half-exponent: -2 * pairs -> -pairs
    #: double-exponent: -2 * pairs -> -4 * pairs
    #: wrong-base (not with half-exponent, double-exponent): 10000.0 -> 1000.0, or 100000.0, or 500000.0, or 1000000.0
    #: d-minus-one: d_model -> (d_model - 1)
    #: endpoint-exponent: d_model -> (d_model - 2), or max(d_model - 2, 1)
    #: integer-exponent (not with wrong-base): -2 * pairs / d_model -> -(2 * pairs // d_model)
    #: integer-exponent (alone): -2 * pairs / d_model -> -2 * pairs // d_model
    #: exponent-off-by-one (alone): / d_model -> / d_model + 1, or / d_model - 1
    #: power-forgotten: 10000.0 ** (-2 * pairs / d_model) -> (1.0 / (10000.0 * (2 * pairs / d_model)))
    #: power-forgotten: 10000.0 ** (-2 * pairs / d_model) -> (10000.0 * (-2 * pairs / d_model))
    #: inverted-frequency: frequencies = -> frequencies = 1.0 /
    #: inverted-frequency: =
    # One whole turn is 2 pi radians, so this is how many positions a pair takes to come round.
    wavelengths = 2 * jnp.pi / frequencies
    #: missing-two-pi (not with cycles-for-radians): 2 * jnp.pi -> 1.0
    #: half-turn (not with cycles-for-radians): 2 * jnp.pi -> jnp.pi
    #: wavelength-multiplied (not with cycles-for-radians): 2 * jnp.pi / -> 2 * jnp.pi *
    return jnp.stack([frequencies, wavelengths]).reshape(-1)
    #: inverted-frequency: =
    #: inverted-frequency: frequencies -> 1.0 / frequencies
    #: cycles-for-radians: frequencies -> frequencies / (2 * jnp.pi)
    #: rows-swapped: .reshape -> [::-1].reshape


problem = Problem(
    axes=("row", "pair"),
    picture=Curve("pair"),
    by_row=True,  # frequencies and wavelengths are thousands of times apart
    arguments={"d_model": Whole(2, step=2)},
    cases=[(0, 2), (0, 4), (0, 6), (0, 8), (0, 10), (0, 64), (0, 512)],
)
