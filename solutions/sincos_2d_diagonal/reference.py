"""Sine and cosine positions of a grid along its two diagonals."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def sincos_2d_diagonal(
    seed,
    height,
    width,
    d_model,
    *,
    order="row by row",
    coordinates="diagonal",
    scaled=False,
    numerator=2,
    functions=("sin", "cos"),
    layout="interleaved",
    halves="u, v",
):
    """The `(height * width, d_model)` table, flattened: `PE(x + y)` in the first half, `PE(x - y)` in the second."""
    height, width, d_model = int(height), int(width), int(d_model)
    half = d_model // 2
    k = jnp.arange(half // 2)
    omega = 10000.0 ** (-numerator * k / half)
    turn = {"sin": jnp.sin, "cos": jnp.cos}

    def encode(position):
        angle = position[:, None] * omega
        pair = [turn[name](angle) for name in functions]
        if layout == "stacked":
            return jnp.concatenate(pair, axis=1)
        return jnp.stack(pair, axis=2).reshape(len(position), half)

    if order == "sizes swapped":
        height, width = width, height
    if order == "column by column":
        y, x = jnp.tile(jnp.arange(height), width), jnp.repeat(jnp.arange(width), height)
    else:
        y, x = jnp.repeat(jnp.arange(height), width), jnp.tile(jnp.arange(width), height)
    u, v = x + y, x - y
    if coordinates == "axes":
        u, v = y, x
    elif coordinates == "v negated":
        v = y - x
    elif coordinates == "distance":
        v = jnp.abs(v)
    elif coordinates == "shifted":
        v = v + height - 1
    elif coordinates == "wraps, just long enough":
        v = v % (height + width - 1)
    elif coordinates == "wraps":
        v = v % (height + width)
    if scaled:
        u, v = u / jnp.sqrt(2.0), v / jnp.sqrt(2.0)
    if halves == "v, u":
        u, v = v, u
    return jnp.concatenate([encode(u), encode(v)], axis=1).reshape(-1)


problem = Problem(
    reference=sincos_2d_diagonal,
    axes=("patch", "dim"),
    picture=Heatmap("patch", "dim"),
    arguments={"height": Whole(), "width": Whole(reach=300), "d_model": Whole(4, step=4)},
    cases=[
        (0, 3, 1, 4),
        (0, 2, 3, 4),
        (0, 1, 4, 12),
        (0, 3, 2, 8),
        (0, 9, 1, 8),
        (0, 5, 7, 20),
        (0, 2, 300, 8),
    ],
    pitfalls=[
        Pitfall(
            "axis-aligned",
            why="The first half encodes y and the second x: the grid was not turned.",
            hint="Along which lines of the grid should the first half stay the same?",
            coordinates="axes",
        ),
        Pitfall(
            "v-negated",
            why="The second half encodes y - x: its cosines are right, its sines have the wrong sign.",
            hint="Does v grow or shrink with one step to the right?",
            coordinates="v negated",
        ),
        Pitfall(
            "distance-for-difference",
            why="The second half holds the distance of x and y, with no sign: below the diagonal its sines are wrong.",
            hint="What is the sine of a negative angle, and does anything forbid a negative position?",
            coordinates="distance",
        ),
        Pitfall(
            "shifted-difference",
            why="The second half was shifted so that its smallest position is 0: every patch is too far along.",
            hint="At which patches should v be zero?",
            coordinates="shifted",
        ),
        Pitfall(
            "wrapped-table",
            why="Below the diagonal the second half holds rows from the end of a table: that is where negative indices "
            "are read.",
            hint="Which row of an array does a negative index read, and does an encoding need a table at all?",
            # Tables are made just as long as u needs, or one row longer.
            coordinates=any_of("wraps, just long enough", "wraps"),
        ),
        Pitfall(
            "halves-swapped",
            why="The halves have changed places: v stands in the first half of the dimensions, u in the second.",
            hint="In which half should the patches of one falling diagonal be alike?",
            halves="v, u",
        ),
        Pitfall(
            "scaled-by-root-two",
            why="u and v are the true lengths along the diagonals: all positions are divided by the root of two.",
            hint="Is one step to the right a whole step along each diagonal here, or part of one?",
            scaled=True,
        ),
        Pitfall(
            "column-major",
            why="The patches are listed column by column: the second row of the table is the patch below the first.",
            hint="When you read a page, which of the two coordinates changes with every step?",
            order="column by column",
        ),
        Pitfall(
            "sizes-swapped",
            why="Height and width have changed places: the grid has `width` rows of `height` patches.",
            hint="How many patches are there in one row of the grid: as many as it is high, or as it is wide?",
            order="sizes swapped",
        ),
        Pitfall(
            "full-width-frequencies",
            why="The exponents are half of what they should be: these are the first frequencies of a table of d_model "
            "dimensions, and the slow ones are missing.",
            hint="How many dimensions does the encoding of one coordinate have?",
            numerator=1,
        ),
        Pitfall(
            "double-exponent",
            why="The exponents are twice what they should be: the width was halved, or the index doubled, once too "
            "often.",
            hint="How many sin/cos pairs fit into one half, and which exponent does the last of them have?",
            numerator=4,
        ),
        Pitfall(
            "cos-first",
            why="Sine and cosine have changed places: each pair begins with its cosine.",
            hint="What should dimension 0 hold in the first patch?",
            functions=("cos", "sin"),
        ),
        Pitfall(
            "stacked-layout",
            why="Within each half, all sines come before all cosines.",
            hint="Which dimension should stand beside the sine of a pair?",
            layout="stacked",
        ),
    ],
)
