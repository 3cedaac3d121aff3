"""Contrastive loss (TODO: author, year, section)."""

import jax.numpy as jnp

from grader import Problem, Real, Whole


def contrastive_loss(seed, N, d, temperature):
    # TODO: the worked answer, with each mistake in a comment under the statement that it changes.
    position = jnp.arange(N * d)
    #: one-based-positions: position = jnp.arange(1, N * d + 1)
    return jnp.sin(position * temperature / 10.0)


problem = Problem(
    # TODO: which values of each argument are legal, as the statement says.
    arguments={"N": Whole(least=1), "d": Whole(least=1), "temperature": Real(above=0.0)},
    # TODO: cases, smallest first, of different sizes: the audit says which mistakes they would let through.
    cases=[
        (0, 1, 4, 2.5),
        (0, 3, 1, 2.5),
        (0, 2, 4, 2.5),
        (0, 3, 2, 2.5),
        (0, 9, 10, 0.05),
        (0, 9, 10, 2.5),
    ],
)
