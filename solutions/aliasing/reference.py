"""Positions that look alike in a sinusoidal encoding (Vaswani et al., 2017, section 3.5: wavelengths by base and size)."""

import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole, any_of


def aliasing(
    seed,
    T,
    d_model,
    base,
    gap,
    *,
    exponent=2,
    frequency_base="given",
    least="the gap",
    picked="nearest",
    counted="positions",
    distance="root",
    waves="both",
    told="shift first",
):
    """The shift in `gap .. T - 1` whose rows are nearest, and their distance: each pair of waves adds `4 sin(a / 2)^2`."""
    T, d_model, base, gap = int(T), int(d_model), float(base), int(gap)
    base = base if frequency_base == "given" else frequency_base
    omega = base ** (-exponent * jnp.arange(d_model // 2) / d_model)

    first = {"the gap": gap, "one": 1, "after the gap": min(gap + 1, T - 1)}[least]
    shifts = jnp.arange(first, T)
    angles = shifts[:, None] * omega
    if waves == "both":
        squares = 4 * jnp.sin(angles / 2) ** 2
    elif waves == "sines":
        squares = jnp.sin(angles) ** 2
    else:
        squares = (jnp.cos(angles) - 1) ** 2
    if distance == "absolute":
        sizes = jnp.abs(jnp.sin(angles)), 2 * jnp.sin(angles / 2) ** 2  # of the sines, and of the cosines less 1
        squares = sizes[0] if waves == "sines" else sizes[1] if waves == "cosines" else sizes[0] + sizes[1]
    squared = squares.sum(axis=1)
    which = squared.argmax() if picked == "farthest" else squared.argmin()

    value = squared[which]
    if distance == "root":
        value = jnp.sqrt(value)
    elif distance == "product":
        value = d_model / 2 - value / 2
    elif distance == "mean":
        value = jnp.sqrt(value / d_model)
    shift = which if counted == "from the gap" else shifts[which]
    numbers = [shift.astype(jnp.float32), value]
    return jnp.stack(numbers if told == "shift first" else numbers[::-1])


problem = Problem(
    reference=aliasing,
    axes=("number",),
    by_row=True,
    arguments={"T": Whole(2, reach=300), "d_model": Whole(2, step=2), "base": Real(above=1.0), "gap": Whole()},
    legal=[lambda T, gap: gap < T],
    cases=[
        (0, 3, 4, 1.05, 1),
        (0, 2, 12, 100.0, 1),
        (0, 3, 4, 1.05, 2),
        (0, 8, 2, 10000.0, 2),
        (0, 50, 4, 10.0, 5),
        (0, 60, 4, 100.0, 6),
        (0, 300, 2, 1.05, 9),
    ],
    pitfalls=[
        Pitfall(
            "neighbours-too",
            why="The gap plays no part: pairs that are nearer than it were counted too, and these should look alike.",
            hint="Which pairs are far apart enough to count?",
            least="one",
        ),
        Pitfall(
            "gap-left-out",
            why="The shift that equals the gap is left out: a pair that is exactly `gap` apart counts too.",
            hint="Is the comparison with the gap strict?",
            least="after the gap",
        ),
        Pitfall(
            "farthest-pair",
            why="This is the pair that differs most, where the pair that differs least is asked for.",
            hint="Do rows that look alike have a small distance or a large one?",
            picked="farthest",
        ),
        Pitfall(
            "counted-from-the-gap",
            why="The shift is counted from the gap on: it is an index into the part that was searched.",
            hint="Which shift does the first entry of your search stand for?",
            counted="from the gap",
        ),
        Pitfall(
            "squared-distance",
            why="The distance is squared: the root was not taken.",
            hint="What does the length of a difference end with?",
            distance="squared",
        ),
        Pitfall(
            "product-for-distance",
            why="This is the dot product of the two rows, and not their distance.",
            hint="What is the distance of a row from itself, and what do you return for it?",
            distance="product",
        ),
        Pitfall(
            "mean-over-dims",
            why="The squares are averaged over the dimensions before the root is taken.",
            hint="Does a Euclidean distance divide by the number of dimensions?",
            distance="mean",
        ),
        Pitfall(
            "absolute-values-added",
            why="The absolute values of the differences are added up: that is the Manhattan distance, and not the Euclidean "
            "one.",
            hint="What does a Euclidean distance do with each difference before it adds them up?",
            distance="absolute",
        ),
        Pitfall(
            "distance-first",
            why="The distance stands before the shift.",
            hint="In which order should the two numbers be returned?",
            told="distance first",
        ),
        Pitfall(
            "half-exponent",
            why="The exponent is k / d_model: the waves are shorter than they should be, and alias elsewhere.",
            hint="How many dimensions share one frequency, and which index do they have?",
            exponent=1,
        ),
        Pitfall(
            "fixed-base",
            why="The base is always the same number, whatever `base` says.",
            hint="Which argument says how long the longest waves are?",
            frequency_base=any_of(10000.0),
        ),
        Pitfall(
            "one-wave-of-a-pair",
            why="Only the sines or only the cosines are compared: with one of them a wave looks alike at two places.",
            hint="What do sine and cosine say together that one of them cannot?",
            waves=any_of("sines", "cosines"),
        ),
    ],
)
