"""Clipped relative position bias (after Shaw et al., 2018, section 3.2)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Problem, Whole


def relative_bias(seed, T, max_dist):
    table = jax.random.normal(jax.random.key(seed), (2 * max_dist + 1,), dtype=jnp.float32)
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    distance = j - i  # a row for each query i, a column for each key j
    #: sign-flipped: distance = i - j
    #: symmetric-distance (not with future-masked): distance = jnp.abs(j - i)
    # Clip while it is still a distance; only then make it an index, which begins at 0.
    clipped = jnp.clip(distance, -max_dist, max_dist)
    #: no-clip: clipped = distance
    #: offset-before-clip: distance -> distance + max_dist
    index = clipped + max_dist
    #: no-offset: index = clipped
    #: offset-before-clip: index = clipped
    bias = table[index]
    #: no-clip: =
    #: no-clip: bias = jnp.take(table, index)
    return bias.reshape(-1)
    #: future-masked: bias -> jnp.where(j > i, 0.0, bias), or jnp.where(j > i, -jnp.inf, bias)


problem = Problem(
    axes=("query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "max_dist": Whole()},
    cases=[
        (0, 1, 9),
        (1, 2, 3),
        (0, 4, 1),
        (0, 6, 8),
        (1, 9, 2),
        (2, 21, 10),
        (0, 50, 7),
    ],
)
