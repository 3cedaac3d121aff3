"""The Gaussian kernel of all pairs (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, equation 4.9)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Problem, Real, Whole


def vmap_pairwise(seed, N, M, d, length):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (M, d), dtype=jnp.float32)

    def kernel(a, b):
        distance = jnp.sum((a - b) ** 2)  # squared
        #: mean-over-dims: jnp.sum -> jnp.mean
        #: absolute-differences: (a - b) ** 2 -> jnp.abs(a - b)
        far = distance / (2 * length**2)
        #: distance-not-squared (not with absolute-differences): distance -> jnp.sqrt(distance)
        #: missing-two: (2 * -> (
        #: two-above (alone): (2 * length**2) -> length**2 * 2
        #: length-not-squared: length**2 -> length
        #: length-above (alone): (2 * length**2) -> 2 * length**2
        #: length-left-out (alone): far = distance / 2
        return jnp.exp(-far)
        #: sign-forgotten: -far -> far
        #: exponential-forgotten: jnp.exp( -> (

    # The inner map runs over the second set and makes a row. The outer one runs over the first set and stacks the rows.
    row = jax.vmap(kernel, in_axes=(None, 0))
    #: maps-exchanged: (None, 0) -> (0, None)
    return jax.vmap(row, in_axes=(0, None))(x, y).reshape(-1)
    #: maps-exchanged: (0, None) -> (None, 0)


problem = Problem(
    axes=("first", "second"),
    picture=Matrix("first", "second"),
    contract="vmap",
    arguments={"N": Whole(), "M": Whole(), "d": Whole(), "length": Real(0.5)},
    cases=[
        (1, 4, 1, 3, 1.5),
        (0, 2, 3, 3, 1.5),
        (5, 2, 3, 3, 1.5),
        (3, 1, 7, 6, 2.5),
        (1, 3, 3, 1, 0.75),
        (2, 3, 2, 4, 1.5),
        (1, 3, 5, 2, 1.25),
        (2, 5, 4, 9, 3.0),
        (25, 10, 9, 3, 0.5),
    ],
)
