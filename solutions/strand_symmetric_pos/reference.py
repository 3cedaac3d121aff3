"""Positions that read the same from both ends of a strand: cosines of the distance from its middle."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Waves, Whole, any_of


def strand_symmetric_pos(
    seed,
    L,
    d_model,
    *,
    origin="the middle",
    exponent="k/D",
    function="cosine",
):
    """The `(L, d_model)` table, flattened: the cosine of dimension k turns at `10000 ** (-k / d_model)`."""
    L, d_model = int(L), int(d_model)
    k = jnp.arange(d_model)
    powers = {
        "k/D": lambda: -k / d_model,
        "paired": lambda: -2 * (k // 2) / d_model,
        "2k/D": lambda: -2 * k / d_model,
        "k/(D - 1)": lambda: -k / (d_model - 1),
    }
    omega = 10000.0 ** powers[exponent]()
    p = jnp.arange(L)
    from_origin = {
        "the middle": lambda: p - (L - 1) / 2,
        "L/2": lambda: p - L / 2,
        "the middle, floored": lambda: p - (L - 1) // 2,
        "L/2, floored": lambda: p - L // 2,
        "the first base": lambda: p,
        "one before": lambda: p + 1,
        "the nearer end": lambda: jnp.minimum(p, L - 1 - p),
        "the middle, in halves of L": lambda: jnp.linspace(-1.0, 1.0, L),
    }
    angle = from_origin[origin]()[:, None] * omega
    if function == "sine":
        table = jnp.sin(angle)
    elif function == "alternating":
        table = jnp.where(k % 2 == 0, jnp.sin(angle), jnp.cos(angle))
    else:
        table = jnp.cos(angle)
    return table.reshape(-1)


problem = Problem(
    reference=strand_symmetric_pos,
    axes=("base", "dim"),
    picture=[Heatmap("base", "dim"), Waves("base", "dim")],
    arguments={"L": Whole(reach=300), "d_model": Whole(2)},
    cases=[
        (0, 1, 3),
        (0, 4, 2),
        (0, 3, 4),
        (0, 2, 9),
        (0, 6, 5),
        (0, 7, 10),
        (0, 1001, 6),
    ],
    pitfalls=[
        Pitfall(
            "centre-off-by-half",
            why="The middle is taken half a base too far to the right: the first row is not the last row again.",
            hint="Which number lies halfway between the first position and the last?",
            origin="L/2",
        ),
        Pitfall(
            "integer-centre",
            why="The middle was rounded to a whole position: a strand with no base in its middle is not the same from "
            "both ends.",
            hint="Does a strand with an even number of bases have one in its middle?",
            origin=any_of("the middle, floored", "L/2, floored"),
        ),
        Pitfall(
            "not-centred",
            why="The positions are counted from the first base, as in a sentence: the two ends are told apart.",
            hint="From where must you measure, so that both ends are equally far away?",
            origin=any_of("the first base", "one before"),
        ),
        Pitfall(
            "nearer-end",
            why="The table is symmetric, but measured from the nearer end: the angles are zero at the ends.",
            hint="At which place of the strand should every dimension reach 1?",
            origin="the nearer end",
        ),
        Pitfall(
            "unit-length",
            why="The strand was squeezed into the interval from -1 to 1: the distances depend on its length.",
            hint="By how much should the angle of dimension 0 grow from one base to the next?",
            origin="the middle, in halves of L",
        ),
        Pitfall(
            "paired-frequencies",
            why="Two neighbouring dimensions share one frequency: with no sine among them, one repeats the other.",
            hint="How many different frequencies does the formula have?",
            exponent="paired",
        ),
        Pitfall(
            "double-exponent",
            why="The exponents grow twice as fast as they should: the index already counts every dimension.",
            hint="Which exponent does the last dimension have, and is it larger or smaller than one?",
            exponent="2k/D",
        ),
        Pitfall(
            "endpoint-exponent",
            why="The exponent is divided by one too few: the last dimension reaches exactly 1/10000.",
            hint="Does the list of exponents include its end point?",
            exponent="k/(D - 1)",
        ),
        Pitfall(
            "sine",
            why="The values are sines: the two ends have opposite signs, and the middle is zero.",
            hint="Which of the two functions stays the same when its argument changes sign?",
            function="sine",
        ),
        Pitfall(
            "alternating-sine",
            why="Every other dimension is a sine, as in the usual table: those change sign between the two ends.",
            hint="What do the even dimensions of the first row and of the last tell you?",
            function="alternating",
        ),
    ],
)
