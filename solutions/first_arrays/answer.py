"""Axes, broadcasting and updates that make a new array (the NumPy documentation, Broadcasting)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def first_arrays(seed, N, d):
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    #: zeros-before-the-mean: x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32).at[0].set(0.0)
    means = x.mean(axis=0)
    #: rows-centred: x.mean(axis=0) -> x.mean(axis=1, keepdims=True)
    #: one-mean-for-all: axis=0 ->
    #: summed-columns: x.mean -> x.sum
    centred = x - means
    #: means-left-in: - means ->
    weights = jnp.arange(1, N + 1)[:, None]
    #: weights-from-zero: 1, N + 1 -> N
    #: weights-along-columns: 1, N + 1)[:, None] -> 1, d + 1)
    #: weights-left-out: weights = 1
    weighted = weights * centred
    result = weighted.at[0].set(0.0)
    #: update-lost: result = weighted
    #: column-of-zeros: [0] -> [:, 0]
    #: last-row-of-zeros: [0] -> [-1]
    return result.reshape(-1)


problem = Problem(
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    arguments={"N": Whole(), "d": Whole()},
    cases=[(3, 3, 3), (0, 1, 4), (1, 4, 1), (2, 2, 5), (4, 5, 2), (5, 9, 3), (6, 3, 9), (7, 300, 2)],
)
