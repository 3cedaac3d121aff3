"""Learned positions: a row of a table for each place in the sequence (Gehring et al., 2017, section 3.1)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


def learned_pos(seed, B, T, max_len, d_model):
    x = jax.random.normal(jax.random.key(seed), (B, T, d_model), dtype=jnp.float32)
    table = nnx.Embed(max_len, d_model, rngs=nnx.Rngs(jax.random.key(seed)))

    # A position is looked up like a word: (T,) indices give (T, d_model) rows, the same for every sequence.
    learned = table(jnp.arange(T))
    #: one-based-positions: jnp.arange(T) -> jnp.arange(T) + 1, or jnp.minimum(jnp.arange(T) + 1, max_len - 1)
    #: last-rows: jnp.arange(T) -> jnp.arange(T) + max_len - T
    #: same-row-for-all: jnp.arange(T) -> jnp.zeros(T, dtype=int), or jnp.full(T, T - 1)
    #: backwards: jnp.arange(T) -> T - 1 - jnp.arange(T)
    #: positions-over-batch: learned = table(jnp.arange(B))[:, None, :]
    #: positions-run-on (alone): jnp.arange(T) -> jnp.arange(B * T).reshape(B, T)
    #: positions-run-on (alone): learned = table.embedding[...][jnp.arange(B * T).reshape(B, T)]
    #: sinusoids-for-table:
    #:     angle = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange((d_model + 1) // 2) / d_model)
    #:     learned = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(T, -1)[:, :d_model]
    return (x + learned).reshape(-1)
    #: scaled-tokens: x -> x * d_model**0.5
    #: scaled-positions: learned -> learned * d_model**0.5
    #: multiplied: + -> *


problem = Problem(
    axes=("sequence", "position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"B": Whole(), "T": Whole(), "max_len": Whole(), "d_model": Whole()},
    legal=[lambda B, T, max_len: max(B, T) <= max_len],
    cases=[
        (0, 1, 1, 1, 10),
        (2, 2, 2, 2, 3),
        (0, 1, 3, 5, 4),
        (0, 9, 1, 18, 2),
        (1, 6, 3, 24, 1),
        (2, 4, 5, 24, 2),
        (1, 3, 4, 9, 6),
        (0, 9, 2, 9, 10),
        (7, 2, 50, 64, 12),
    ],
)
