"""Greedy decoding of several rows, in a loop that stops when all of them have ended (as T5X does)."""

import jax
import jax.numpy as jnp

from grader import Problem, Trace, Whole


def while_decode(seed, B, V, max_len):
    k1, k2 = jax.random.split(jax.random.key(seed))
    table = jax.random.normal(k1, (V, V), dtype=jnp.float32)
    first = jax.random.randint(k2, (B,), 1, V)

    def going(state):
        rounds, _, ended, _ = state
        return (rounds < max_len) & ~jnp.all(ended)
        #: stops-at-first-end: jnp.all -> jnp.any
        #: never-stops-early: & ~jnp.all(ended) ->
        #: one-round-short: rounds < max_len -> rounds < max_len - 1
        #: one-round-more: rounds < max_len -> rounds <= max_len

    def step(state):
        rounds, token, ended, out = state
        following = jnp.argmax(table[token], axis=-1)
        #: column-for-row: table[token], axis=-1 -> table[:, token], axis=0
        #: writes-after-end/starts-again: following = jnp.where(ended, -1, jnp.argmax(table[token], axis=-1))
        # Written before the end is marked: the token 0 itself belongs to its row.
        out = out.at[:, rounds].set(jnp.where(ended, -1, following))
        #: writes-after-end/written: jnp.where(ended, -1, following) -> following
        #: pads-with-end/all: -1 -> 0
        #: pads-with-end/rounds-run: -1 -> 0
        #: end-not-written: ended -> ended | (following == 0)
        #: first-token-included/written: following -> token
        return rounds + 1, following, ended | (following == 0), out
        #: writes-after-end/forgotten: ended | (following == 0) -> following == 0
        #: writes-after-end/starts-again: ended | (following == 0) -> following == 0

    # Every place is there from the start: an array in the state never changes its shape.
    start = 0, first, jnp.zeros(B, bool), jnp.full((B, max_len), -1)
    #: pads-with-end/all: -1 -> 0
    #: pads-with-end/rounds-not-run: -1 -> 0
    #: first-token-included/counted: 0, first -> 1, first, and -1) -> -1).at[:, 0].set(first)
    rounds, _, _, out = jax.lax.while_loop(going, step, start)
    return jnp.append(out.reshape(-1), rounds)
    #: first-token-included/in-front: out. -> jnp.column_stack([first, out[:, :-1]]).


problem = Problem(
    axes=("entry",),
    contract="trace",
    trace=Trace(needs=["while"]),
    arguments={"B": Whole(), "V": Whole(2), "max_len": Whole()},
    # Seeds are chosen with care: rows end in different rounds, all at once, in the last round, or never, and no two large
    # scores of a row of the table are alike.
    cases=[
        (6, 2, 3, 4),
        (2, 4, 7, 5),
        (5, 4, 7, 6),
        (4, 2, 11, 9),
        (0, 1, 9, 4),
        (1, 3, 9, 2),
        (8, 3, 9, 1),
        (0, 9, 2, 3),
    ],
)
