"""Positions that read the same from both ends of a strand: cosines of the distance from its middle."""

import jax.numpy as jnp

from grader import Heatmap, Problem, Waves, Whole


def strand_symmetric_pos(seed, L, d_model):
    # Measured from the middle, the two ends differ in sign alone, which the cosine does not see.
    from_middle = jnp.arange(L) - (L - 1) / 2
    #: centre-off-by-half: (L - 1) / 2 -> L / 2
    #: integer-centre: (L - 1) / 2 -> (L - 1) // 2, or L // 2
    #: not-centred: from_middle = jnp.arange(L)
    #: not-centred: from_middle = jnp.arange(1, L + 1)
    #: nearer-end: from_middle = jnp.minimum(jnp.arange(L), L - 1 - jnp.arange(L))
    #: unit-length: from_middle = jnp.linspace(-1.0, 1.0, L)
    k = jnp.arange(d_model)
    frequencies = 10000.0 ** (-k / d_model)
    #: paired-frequencies: -k -> -2 * (k // 2)
    #: double-exponent: -k -> -2 * k
    #: endpoint-exponent: d_model -> (d_model - 1)
    angles = from_middle[:, None] * frequencies
    return jnp.cos(angles).reshape(-1)
    #: sine: cos -> sin
    #: alternating-sine: jnp.cos(angles) -> jnp.where(k % 2 == 0, jnp.sin(angles), jnp.cos(angles))


problem = Problem(
    axes=("base", "dim"),
    picture=[Heatmap("base", "dim"), Waves("base", "dim")],
    arguments={"L": Whole(reach=300), "d_model": Whole(2)},
    cases=[
        (0, 1, 3),
        (0, 4, 2),
        (0, 3, 4),
        (0, 2, 9),
        (0, 6, 5),
        (0, 7, 10),
        (0, 1001, 6),
    ],
)
