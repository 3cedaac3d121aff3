"""A shift of the sinusoidal encoding as a matrix (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def sinusoidal_shift(seed, d_model, delta):
    k = jnp.arange(d_model // 2)
    #: not-block-diagonal: k = jnp.arange(d_model // 2)[:, None]
    #: not-block-diagonal: =
    #: not-block-diagonal: =
    frequencies = 10000.0 ** (-2 * k / d_model)
    #: half-exponent: -2 * k -> -k
    #: double-exponent: -2 * k -> -4 * k
    #: d-minus-one: d_model -> (d_model - 1)
    #: one-frequency: frequencies = jnp.ones(k.shape)
    angles = delta * frequencies
    #: shift-forgotten: angles = frequencies
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    #: sine-on-diagonal: cos, sin = jnp.sin(angles), jnp.cos(angles)
    even, odd = 2 * k, 2 * k + 1  # where the sines stand, and where the cosines do
    #: stacked-blocks (not with not-block-diagonal): even, odd = k, k + d_model // 2
    #: not-block-diagonal: even, odd = slice(0, None, 2), slice(1, None, 2)
    #: not-block-diagonal: even, odd = slice(0, None, 2), slice(1, None, 2)
    #: not-block-diagonal: =
    # The angle-addition formulas: each new sine and cosine mixes the two old ones of its own pair, and no others.
    matrix = jnp.zeros((d_model, d_model))
    matrix = matrix.at[even, even].set(cos)
    matrix = matrix.at[even, odd].set(sin)
    #: rotates-backwards: (sin) -> (-sin)
    #: not-block-diagonal: =
    #: not-block-diagonal: =
    #: not-block-diagonal: [even, odd] -> [even, d_model - 1 - even]
    matrix = matrix.at[odd, even].set(-sin)
    #: rotates-backwards: (-sin) -> (sin)
    #: missing-sign: (-sin) -> (sin)
    #: reflection: (-sin) -> (sin)
    #: not-block-diagonal: =
    #: not-block-diagonal: =
    #: not-block-diagonal: [odd, even] -> [odd, d_model - 1 - odd]
    matrix = matrix.at[odd, odd].set(cos)
    #: reflection: (cos) -> (-cos)
    return matrix.reshape(-1)


problem = Problem(
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    arguments={"d_model": Whole(2, step=2), "delta": Whole(None, reach=300)},
    cases=[
        (0, 2, -300),
        (0, 4, 1),
        (0, 4, 3),
        (0, 4, -5),
        (0, 6, 2),
        (0, 8, -40),
        (0, 10, 7),
        (0, 30, 1000),
    ],
)
