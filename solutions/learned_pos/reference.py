"""Learned positions: a row of a table for each place in the sequence (Gehring et al., 2017, section 3.1)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def learned_pos(seed, B, T, max_len, d_model, *, rows="first", scale=None, combine="add"):
    """`(B, T, d_model)`: tokens plus the rows `0 .. T - 1` of a table of `max_len` learned positions."""
    B, T, max_len, d_model = int(B), int(T), int(max_len), int(d_model)
    x = jax.random.normal(jax.random.key(seed), (B, T, d_model), dtype=jnp.float32)
    table = nnx.Embed(max_len, d_model, rngs=nnx.Rngs(jax.random.key(seed)))

    if rows == "first":
        learned = table.embedding[...][:T]
    elif rows == "next":
        learned = table(jnp.arange(T) + 1)
    elif rows == "next, clamped":
        learned = table(jnp.minimum(jnp.arange(T) + 1, max_len - 1))
    elif rows == "last":
        learned = table(jnp.arange(T) + max_len - T)
    elif rows == "row 0":
        learned = table(jnp.zeros(T, dtype=jnp.int32))
    elif rows == "row T - 1":
        learned = table(jnp.full(T, T - 1))
    elif rows == "backwards":
        learned = table(T - 1 - jnp.arange(T))
    elif rows == "batch":
        learned = table(jnp.arange(B))[:, None, :]
    elif rows == "run on":
        learned = table(jnp.arange(B * T).reshape(B, T))
    elif rows == "run on, clamped":
        learned = table.embedding[...][jnp.arange(B * T).reshape(B, T)]
    elif rows == "sinusoidal":
        angle = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange((d_model + 1) // 2) / d_model)
        learned = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(T, -1)[:, :d_model]
    if scale == "tokens":
        x = x * d_model**0.5
    elif scale == "positions":
        learned = learned * d_model**0.5
    summed = x * learned if combine == "multiply" else x + learned
    return summed.reshape(-1)


problem = Problem(
    reference=learned_pos,
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
        (0, 4, 2, 7, 10),
        (7, 2, 50, 64, 12),
    ],
    pitfalls=[
        Pitfall(
            "one-based-positions",
            why="The first token has row 1 of the table: the rows are counted from 1, and a full sequence runs off "
            "the end.",
            hint="How many rows does the table have, and what is the index of its first?",
            # Beyond the table's end `nnx.Embed` gives NaN, and an index into the array the last row again.
            rows=any_of("next", "next, clamped"),
        ),
        Pitfall(
            "last-rows",
            why="The tokens have the last rows of the table, as if the sequence ended where the table ends.",
            hint="Which row belongs to the first token of a short sequence?",
            rows="last",
        ),
        Pitfall(
            "same-row-for-all",
            why="All tokens have the same row of the table: their order is lost again.",
            hint="How many different rows does a sequence need?",
            rows=any_of("row 0", "row T - 1"),
        ),
        Pitfall(
            "backwards",
            why="The rows are laid out from the last token to the first.",
            hint="Which token stands at position 0, the first or the last?",
            rows="backwards",
        ),
        Pitfall(
            "positions-over-batch",
            why="The rows follow the sequences of the batch: all tokens of one sequence share a row.",
            hint="Along which axis of the batch does a sentence run?",
            rows="batch",
        ),
        Pitfall(
            "positions-run-on",
            why="The rows run on from one sequence into the next, where each sequence begins with row 0.",
            hint="Which row of the table belongs to the first token of the second sequence?",
            rows=any_of(alone=["run on", "run on, clamped"]),
        ),
        Pitfall(
            "sinusoids-for-table",
            why="These are sines and cosines: the layer with the learned positions has not been asked.",
            hint="Which of the given lines makes the numbers that this problem adds?",
            rows="sinusoidal",
        ),
        Pitfall(
            "scaled-tokens",
            why="The tokens have been multiplied by the square root of d_model, as in the lesson before: here they stay.",
            hint="Does the formula of this lesson hold a factor?",
            scale="tokens",
        ),
        Pitfall(
            "scaled-positions",
            why="The learned rows have been multiplied by the square root of d_model: here they stay as they are.",
            hint="Does the formula of this lesson hold a factor?",
            scale="positions",
        ),
        Pitfall(
            "multiplied",
            why="Tokens and positions are multiplied number by number: where either is near zero, both are gone.",
            hint="By which operation do the two become one vector?",
            combine="multiply",
        ),
    ],
)
