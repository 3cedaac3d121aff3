"""Sine and cosine positions of a grid: one half of the dimensions for each coordinate of a patch."""

import jax.numpy as jnp

from grader import Heatmap, Problem, Waves, Whole


def sincos_2d(seed, height, width, d_model):
    half = d_model // 2  # the dimensions that each coordinate gets
    #: summed-halves: half = d_model
    #: one-dimensional: half = d_model
    omega = 10000.0 ** (-2 * jnp.arange(half // 2) / half)
    #: full-width-frequencies: -2 -> -1
    #: double-exponent: -2 -> -4
    #: endpoint-exponent: / half) -> / (half - 2)), or / max(half - 2, 1))

    def encode(n):
        angles = jnp.arange(n)[:, None] * omega
        #: one-based-positions: jnp.arange(n) -> jnp.arange(1, n + 1)
        #: normalised-positions (alone): jnp.arange(n) -> (jnp.arange(n) / n), or (jnp.arange(n) / max(n - 1, 1))
        #: normalised-positions (alone): jnp.arange(n) -> (jnp.arange(1, n + 1) / n), or ((jnp.arange(n) + 0.5) / n)
        #: normalised-positions (alone): jnp.arange(n) -> (2 * jnp.arange(n) / max(n - 1, 1) - 1)
        #: normalised-positions (alone): jnp.arange(n) -> (2 * jnp.pi * jnp.arange(n) / n)
        #: normalised-positions (alone): jnp.arange(n) -> (2 * jnp.pi * jnp.arange(n) / max(n - 1, 1))
        #: normalised-positions (alone): jnp.arange(n) -> (2 * jnp.pi * jnp.arange(1, n + 1) / (n + 1e-6))
        return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(n, half)
        #: cos-first: jnp.sin(angles), jnp.cos(angles) -> jnp.cos(angles), jnp.sin(angles)
        #: stacked-layout: stack -> concatenate

    # Row by row: the encoding of a y stands `width` times in a row, that of all x comes again for each y.
    y, x = jnp.repeat(encode(height), width, axis=0), jnp.tile(encode(width), (height, 1))
    #: x-first: y, x = -> x, y =
    #: column-major: y, x = jnp.tile(encode(height), (width, 1)), jnp.repeat(encode(width), height, axis=0)
    #: sizes-swapped: y, x = jnp.repeat(encode(width), height, axis=0), jnp.tile(encode(height), (width, 1))
    #: one-coordinate-twice: y = x = jnp.repeat(encode(height), width, axis=0)
    #: one-coordinate-twice: y = x = jnp.tile(encode(width), (height, 1))
    table = jnp.concatenate([y, x], axis=-1)
    #: cycles-of-four (alone): table = jnp.stack([y.reshape(-1, half // 2, 2), x.reshape(-1, half // 2, 2)], axis=2)
    #: cycles-of-four (alone): table = jnp.stack([x.reshape(-1, half // 2, 2), y.reshape(-1, half // 2, 2)], axis=2)
    #: cycles-of-four (alone): table = jnp.stack([y, x], axis=-1)
    #: cycles-of-four (alone): table = jnp.stack([x, y], axis=-1)
    #: summed-halves: table = y + x
    #: one-dimensional (not with x-first, column-major, sizes-swapped, one-coordinate-twice): table = encode(height * width)
    return table.reshape(-1)


problem = Problem(
    axes=("patch", "dim"),
    picture=[Heatmap("patch", "dim"), Waves("patch", "dim")],
    arguments={"height": Whole(), "width": Whole(reach=300), "d_model": Whole(4, step=4)},
    cases=[
        (0, 9, 2, 4),
        (0, 2, 3, 4),
        (0, 1, 4, 12),
        (0, 3, 2, 8),
        (0, 9, 1, 8),
        (0, 5, 7, 20),
        (0, 2, 300, 8),
    ],
)
