"""Matching brackets, as a good learner would write it."""

import jax
import jax.numpy as jnp


def match_brackets(seed, T):
    tokens = jnp.where(jax.random.bernoulli(jax.random.key(seed), jnp.float32(0.5), (T,)), 1, -1)
    depth = jnp.cumsum(tokens)  # right after each bracket
    position = jnp.arange(T)
    opening, closing = tokens == 1, tokens == -1
    # Rows are openings i, columns closings j. The sum is one lower after the closing than after its opening.
    match = opening[:, None] & closing & (position[:, None] < position) & (depth[:, None] == depth + 1)
    # The last row that matches, and -1 where none does.
    return jnp.where(match, position[:, None], -1).max(axis=0)
