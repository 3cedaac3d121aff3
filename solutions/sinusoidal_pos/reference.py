"""Sinusoidal position encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Waves, Whole, any_of


def sinusoidal_pos(
    seed,
    T,
    d_model,
    *,
    numerator=("i", 2),
    divisor="D",
    floored=False,
    less=0,
    base=10000.0,
    power=True,
    whole_numbers="none",
    inverted=False,
    first=0,
    unit=1.0,
    functions=("sin", "cos"),
    blank=False,
    layout="interleaved",
):
    """The `(T, d_model)` table, flattened. Of dimension j, i = j // 2 is the pair; it turns at `base ** (-2i/d_model)`."""
    T, d_model = int(T), int(d_model)
    j = jnp.arange(d_model)
    i = j // 2
    index, factor = numerator
    steps = factor * (i if index == "i" else j)
    divided_by = {
        "D": d_model,
        "D - 1": d_model - 1,
        "D - 2": d_model - 2,
        "D - 2, at least 1": max(d_model - 2, 1),
    }[divisor]
    exponent = steps / divided_by
    if floored:
        whole = -(-steps // max(divided_by, 1)) if floored == "of the negative" else steps // max(divided_by, 1)
        exponent = whole.astype(jnp.float32)
    if less:
        exponent = exponent - less
    scale = base**exponent if power else base * exponent
    if whole_numbers == "powers":
        scale = jnp.floor(scale + 0.001)  # 100 may come out a little smaller
    elif whole_numbers == "frequencies":
        scale = jnp.where(exponent > 0, jnp.inf, 1.0)
    position = jnp.arange(T, dtype=jnp.float32)[:, None] + first
    angle = position * scale if inverted else position / scale
    if unit != 1.0:
        angle = angle * unit
    turn = {"sin": jnp.sin, "cos": jnp.cos}
    even, odd = (turn[name](angle) for name in functions)
    table = jnp.where(j % 2 == 0, even, odd)
    if blank:
        table = jnp.where(jnp.arange(T)[:, None] == 0, 0.0, table)
    if layout == "stacked":
        table = jnp.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)
    return table.reshape(-1)


problem = Problem(
    reference=sinusoidal_pos,
    axes=("position", "dim"),
    picture=[Heatmap("position", "dim"), Waves("position", "dim")],
    arguments={"T": Whole(reach=300), "d_model": Whole(2, step=2)},
    cases=[
        (0, 3, 4),
        (0, 2, 6),
        (0, 9, 2),
        (0, 5, 10),
        (0, 1, 64),
        (0, 3, 512),
        (0, 33, 64),
        (0, 2000, 6),
    ],
    pitfalls=[
        Pitfall(
            "half-exponent",
            why="These are the numbers of 1 / 10000^(i/d), the same as a base of 100: every pair but the first turns too "
            "fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            numerator=("i", 1),
        ),
        Pitfall(
            "double-exponent",
            why="These are the numbers of 1 / 10000^(4i/d): an index that already steps by two was doubled once more, and "
            "every pair but the first turns too slowly.",
            hint="Does your index count pairs, or dimensions?",
            numerator=("i", 4),
        ),
        Pitfall(
            "per-dim-exponent",
            why="Every dimension j has an exponent of its own, j/d: the cosines turn at other frequencies than their sines.",
            hint="Which two dimensions form one pair, and what do the two share?",
            numerator=("j", 1),
        ),
        Pitfall(
            "double-per-dim-exponent",
            why="Every dimension j has the exponent 2j/d: each step of the index counts twice, and the cosines turn at "
            "other frequencies than their sines.",
            hint="In the formula, does i run over dimensions or over pairs of them?",
            numerator=("j", 2),
        ),
        Pitfall(
            "d-minus-one",
            why="The exponent is divided by d - 1: every pair but the first turns a little too slowly.",
            hint="By what does the formula divide the index?",
            divisor="D - 1",
        ),
        Pitfall(
            "endpoint-exponent",
            why="The exponent is divided by d - 2: the last pair reaches exactly 1/10000, one step further than it should.",
            hint="Does the list of exponents include its end point?",
            # At D = 2 some people divide zero by zero, and some guard against it.
            divisor=any_of("D - 2", "D - 2, at least 1"),
        ),
        Pitfall(
            "integer-exponent",
            why="The exponent is rounded to a whole number: its fraction is lost.",
            hint="Which of Python's two division signs keeps the fraction?",
            # Rounded down, a negative exponent moves away from zero.
            floored=any_of(True, alone=["of the negative"]),
        ),
        Pitfall(
            "exponent-off-by-one",
            why="Every exponent is too small or too large by one, so every frequency is 10000 times too large or too "
            "small.",
            hint="In `a / b - 1`, is the 1 taken off below the line? What should the exponent of the first pair be?",
            less=any_of(alone=[1, -1]),
        ),
        Pitfall(
            "whole-frequencies",
            why="Every pair but the first stands still: its frequency is zero.",
            hint="Which dtype do your frequencies have, and can it hold a number between 0 and 1?",
            whole_numbers=any_of(alone=["frequencies"]),
        ),
        Pitfall(
            "whole-powers",
            why="The powers of the base were cut to whole numbers: a pair whose power has a fraction turns a little "
            "too fast.",
            hint="Which dtype do your powers have, and can it hold a fraction?",
            whole_numbers=any_of(alone=["powers"]),
        ),
        Pitfall(
            "wrong-base",
            why="The frequencies have the right form, but grow from another base than the one in the formula.",
            hint="How long is the longest wavelength, divided by 2 pi, as d grows?",
            base=any_of(1000.0, 100000.0, 500000.0, 1000000.0),
        ),
        Pitfall(
            "power-forgotten",
            why="The base is multiplied by the exponent where it should be raised to it; the first pair divides by zero.",
            hint="Is it `*` or `**` that raises to a power?",
            power=False,
        ),
        Pitfall(
            "inverted-frequency",
            why="The positions are multiplied by the wavelengths' scale: later pairs turn faster, where they should turn "
            "slower.",
            hint="Should the angle of a late pair grow quickly or slowly with the position?",
            inverted=True,
        ),
        Pitfall(
            "one-based-positions",
            why="The first row is that of position 1: every row is one position too far.",
            hint="Which sine and cosine belong to the very first row?",
            first=1,
        ),
        Pitfall(
            "degrees",
            why="The angles were converted between degrees and radians.",
            hint="In which unit does jnp.sin read its argument, and in which is the angle of the formula?",
            unit=any_of(0.017453292519943295, 57.29577951308232),
        ),
        Pitfall(
            "cos-first",
            why="Sine and cosine have changed places: each pair begins with its cosine.",
            hint="What should dimension 0 hold at position 0?",
            functions=("cos", "sin"),
        ),
        Pitfall(
            "all-sine",
            why="Every dimension is a sine: the second of each pair repeats the first.",
            hint="What tells the second dimension of a pair from the first?",
            functions=("sin", "sin"),
        ),
        Pitfall(
            "all-cosine",
            why="Every dimension is a cosine: the first of each pair repeats the second.",
            hint="What tells the first dimension of a pair from the second?",
            functions=("cos", "cos"),
        ),
        Pitfall(
            "blank-first-row",
            why="The row of position 0 is all zeros, as if kept for padding.",
            hint="What does the formula give at position 0?",
            blank=True,
        ),
        Pitfall(
            "stacked-layout",
            why="The two halves are stacked: all first members of the pairs come before all second ones.",
            hint="Which dimension should stand beside dimension 0 of a pair?",
            layout="stacked",
        ),
    ],
)
