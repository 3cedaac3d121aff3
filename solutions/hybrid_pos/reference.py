"""Sinusoidal positions, corrected by a learned table as far as the table reaches."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def hybrid_pos(
    seed,
    T,
    max_len,
    d_model,
    *,
    beyond="nothing",
    sinusoid="everywhere",
    count="all",
    layout="interleaved",
):
    """`(T, d_model)`: `PE(p) + table[p]` for `p < max_len`, `PE(p)` alone from there on."""
    T, max_len, d_model = int(T), int(max_len), int(d_model)
    table = jax.random.normal(jax.random.key(seed), (max_len, d_model), dtype=jnp.float32)

    last = max_len - 1
    place = jnp.arange(T)
    column = place[:, None]
    position = {
        "all": lambda: column,
        "from 1": lambda: column + 1,
        "modulo": lambda: column % max_len,
        "again": lambda: jnp.where(column < max_len, column, column - max_len),
        "frozen": lambda: jnp.minimum(column, last),
    }[count]()
    angle = position * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    axis = -1 if layout == "interleaved" else -2
    encoding = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=axis).reshape(T, d_model)

    learned = {
        "nothing": lambda: jnp.pad(table[:T], ((0, max(T - max_len, 0)), (0, 0))),
        "one row more": lambda: jnp.where(column <= max_len, table[jnp.minimum(place, last)], 0.0),
        "one row fewer": lambda: jnp.where(column < last, table[jnp.minimum(place, last)], 0.0),
        "clamped": lambda: table[jnp.minimum(place, last)],
        "wrapped": lambda: table[place % max_len],
        "nan": lambda: jnp.where(column < max_len, table[jnp.minimum(place, last)], jnp.nan),
    }[beyond]()

    if sinusoid == "nowhere":
        return learned.reshape(-1)
    if sinusoid == "beyond":
        return jnp.where(column < max_len, learned, encoding + learned).reshape(-1)
    if sinusoid == "within":
        return jnp.where(column < max_len, encoding + learned, learned).reshape(-1)
    return (encoding + learned).reshape(-1)


problem = Problem(
    reference=hybrid_pos,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(reach=300), "max_len": Whole(), "d_model": Whole(2, step=2)},
    cases=[
        (1, 2, 3, 2),
        (0, 3, 2, 2),
        (1, 1, 9, 6),
        (1, 4, 7, 4),
        (0, 3, 3, 6),
        (2, 2, 2, 10),
        (0, 6, 5, 10),
        (3, 300, 1, 6),
    ],
    pitfalls=[
        Pitfall(
            "clamped-table",
            why="Beyond the table its last row is added again and again: an index out of range is clamped, silently.",
            hint="What does JAX return for an index beyond the end of an array?",
            beyond="clamped",
        ),
        Pitfall(
            "wrapped-table",
            why="Beyond the table its rows come round again from the first, as if they had been learned for later "
            "positions.",
            hint="What does the table know of a position that it has no row for?",
            beyond="wrapped",
        ),
        Pitfall(
            "nan-beyond-table",
            why="Every row beyond the table is NaN: `jnp.take` and `nnx.Embed` fill what they do not have.",
            hint="Which rows does the table have, and for which did you ask?",
            beyond="nan",
        ),
        Pitfall(
            "off-by-one-length",
            why="The border lies one position too far or too near: at the end of the table one row is added too many, or "
            "is missing.",
            hint="Which is the last position that the table has a row for?",
            beyond=any_of("one row more", "one row fewer"),
        ),
        Pitfall(
            "learned-only",
            why="There is no sinusoid: beyond the table nothing tells the positions apart.",
            hint="What of the encoding goes on for ever, and where should it start?",
            sinusoid="nowhere",
        ),
        Pitfall(
            "either-or",
            why="The sinusoid starts where the table ends: the first positions have the learned rows alone.",
            hint="Does a learned row replace the sinusoid, or correct it?",
            sinusoid="beyond",
        ),
        Pitfall(
            "sinusoid-cut-off",
            why="The sinusoid ends where the table does: the positions beyond are blank.",
            hint="Which of the two parts has a length, and which has none?",
            sinusoid="within",
        ),
        Pitfall(
            "one-based-positions",
            why="The sinusoid of the first row is that of position 1: every row is one position too far.",
            hint="From which number does the encoding of this track count?",
            count="from 1",
        ),
        Pitfall(
            "positions-restart",
            why="Beyond the table the sinusoid begins again from its first row: late positions look like early ones.",
            hint="Is the first row beyond the table at the start of the sequence?",
            count=any_of("modulo", "again"),
        ),
        Pitfall(
            "positions-frozen",
            why="Beyond the table the sinusoid stands still at the last position that the table has.",
            hint="Does a formula need a row in a table to know the next position?",
            count="frozen",
        ),
        Pitfall(
            "stacked-layout",
            why="The encoding stacks its halves: all sines come before all cosines.",
            hint="Which dimension should stand beside the sine of a pair?",
            layout="stacked",
        ),
    ],
)
