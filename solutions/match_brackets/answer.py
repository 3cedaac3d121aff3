"""Matching brackets by a search over all pairs of positions, as attention would."""

import jax
import jax.numpy as jnp

from grader import Problem, Tokens, Whole


def match_brackets(seed, T):
    tokens = jnp.where(jax.random.bernoulli(jax.random.key(seed), jnp.float32(0.5), (T,)), 1, -1)
    depth = jnp.cumsum(tokens)  # right after each bracket
    #: depth-never-negative:
    #:     depth = jnp.cumsum(tokens)
    #:     depth = depth - jnp.minimum(jax.lax.cummin(depth), 0)
    #: depth-cut-off: jnp.cumsum(tokens) -> jnp.maximum(jnp.cumsum(tokens), 0)
    # Rows are openings i, columns closings j. The sum is one lower after the closing than after its opening.
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    match = depth[:, None] == depth + 1
    #: depth-off-by-one (not with depth-never-negative, depth-cut-off): depth + 1 -> depth, or depth + 2
    #: nearest-opening (not with closings-match-too, depth-never-negative, depth-cut-off): match = i != j
    match = match & (i < j)
    #: looks-ahead: -
    match = match & (tokens[:, None] == 1)
    #: closings-match-too: -
    match = match & (tokens == -1)
    #: openings-answered: -
    # The last row that matches, and -1 where none does.
    index = jnp.where(match, i, -1).max(axis=0)
    #: first-not-last:
    #:     index = jnp.where(match, i, T).min(axis=0)
    #:     index = jnp.where(index == T, -1, index)
    return index
    #: no-match-is-zero: index -> jnp.where((index == -1) & (tokens == -1), 0, index), or jnp.maximum(index, 0)


problem = Problem(
    axes=("at",),
    picture=Tokens("at"),
    arguments={"T": Whole()},
    cases=[
        (3, 1),
        (1, 2),
        (0, 5),
        (1, 9),
        (0, 16),
        (2, 33),
        (3, 64),
    ],
)
