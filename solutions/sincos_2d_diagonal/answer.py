"""Sine and cosine positions of a grid along its two diagonals."""

import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def sincos_2d_diagonal(seed, height, width, d_model):
    half = d_model // 2  # the dimensions that each diagonal gets
    k = jnp.arange(half // 2)
    omega = 10000.0 ** (-2 * k / half)
    #: full-width-frequencies: -2 * k -> -k
    #: double-exponent: -2 * k -> -4 * k

    def encode(position):
        # Works for negative positions too: it computes, where a table could only be looked up.
        angles = position[:, None] * omega
        #: scaled-by-root-two: position[:, None] -> position[:, None] / jnp.sqrt(2.0)
        pair = [jnp.sin(angles), jnp.cos(angles)]
        #: cos-first: pair = [jnp.cos(angles), jnp.sin(angles)]
        return jnp.stack(pair, axis=-1).reshape(-1, half)
        #: stacked-layout: stack -> concatenate

    # The coordinates of the patches, row by row.
    y, x = jnp.indices((height, width)).reshape(2, -1)
    #: column-major: y, x = jnp.indices((height, width)).transpose(0, 2, 1).reshape(2, -1)
    #: sizes-swapped:
    #:     height, width = width, height
    #:     y, x = jnp.indices((height, width)).reshape(2, -1)
    u, v = x + y, x - y
    #: axis-aligned: u, v = y, x
    #: v-negated: x - y -> y - x
    #: distance-for-difference: x - y -> jnp.abs(x - y)
    #: shifted-difference: x - y -> x - y + height - 1
    #: wrapped-table: x - y -> (x - y) % (height + width - 1), or (x - y) % (height + width)
    return jnp.concatenate([encode(u), encode(v)], axis=-1).reshape(-1)
    #: halves-swapped: [encode(u), encode(v)] -> [encode(v), encode(u)]


problem = Problem(
    axes=("patch", "dim"),
    picture=Heatmap("patch", "dim"),
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
