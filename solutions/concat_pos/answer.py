"""Positions beside the tokens, mixed by a matrix (concatenation as in Dai et al., 2019, section 3.3, seen as a sum)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def concat_pos(seed, T, d_model, d_pos):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    tokens = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    positions = jax.random.normal(k2, (T, d_pos), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_model + d_pos, d_model), dtype=jnp.float32) / (d_model + d_pos) ** 0.5

    # With token and position side by side in a row, the first rows of W see the token only, and the others the position
    # only. So the product of the long rows is a sum of two.
    of_token, of_position = W[:d_model], W[d_model:]
    #: positions-first: of_token, of_position = W[d_pos:], W[:d_pos]
    token = tokens @ of_token
    #: scaled-tokens: token = -> token = d_model**0.5 *
    #: tokens-not-mixed: tokens @ of_token -> tokens
    position = positions @ of_position
    #: backwards: positions -> positions[::-1]
    #: same-position-for-all: positions -> jnp.repeat(positions[:1], T, axis=0)
    #: positions-shifted: positions -> jnp.roll(positions, -1, axis=0)
    return (token + position).reshape(-1)
    #: positions-missing: token + position -> token
    #: tokens-missing: token + position -> position
    #: multiplied: + -> *
    #: subtracted: + -> -
    #: halved (not with multiplied, subtracted): .reshape(-1) -> .reshape(-1) / 2
    #: residual-added (alone): token + position -> tokens + token + position
    #: joined-lengthwise (alone):
    #:     long = jnp.concatenate([tokens.reshape(-1), positions.reshape(-1)]).reshape(T, d_model + d_pos)
    #:     return (long @ W).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "d_pos": Whole()},
    cases=[
        (0, 2, 1, 4),
        (0, 3, 1, 2),
        (1, 1, 3, 9),
        (2, 3, 2, 9),
        (1, 2, 9, 2),
        (3, 9, 7, 3),
        (0, 10, 9, 1),
    ],
)
