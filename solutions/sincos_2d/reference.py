"""Sine and cosine positions of a grid: one half of the dimensions for each coordinate of a patch."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Waves, Whole, any_of

UNITS = {
    "the size": lambda p, n: p / n,
    "the last": lambda p, n: p / max(n - 1, 1),
    "the size, from 1": lambda p, n: (p + 1) / n,
    "the size, from the middle": lambda p, n: (p + 0.5) / n,
    "from -1 to 1": lambda p, n: 2 * p / max(n - 1, 1) - 1,
    "whole turns": lambda p, n: 2 * jnp.pi * p / n,
    "whole turns, to the last": lambda p, n: 2 * jnp.pi * p / max(n - 1, 1),
    "whole turns, from 1": lambda p, n: 2 * jnp.pi * (p + 1) / (n + 1e-6),
}
"""Positions measured by the size of the image. The last is that of the Detection Transformer."""

CYCLES = {
    "y pair, x pair": (1, 3),
    "x pair, y pair": (1, 3),
    "y x sines, cosines": (3, 1),
    "x y sines, cosines": (3, 1),
}
"""Layouts that put both coordinates beside each other, with the order of the axes `coordinate` and `sine or cosine`."""


def sincos_2d(
    seed,
    height,
    width,
    d_model,
    *,
    order="row by row",
    numerator=2,
    divisor="D",
    first=0,
    functions=("sin", "cos"),
    layout="interleaved",
    joined="side by side",
    unit="a patch",
):
    """The `(height * width, d_model)` table, flattened: `PE(y)` in the first half of the dimensions, then `PE(x)`."""
    height, width, d_model = int(height), int(width), int(d_model)
    dims = d_model // 2 if joined == "side by side" else d_model
    k = jnp.arange(dims // 2)
    divided_by = {"D": dims, "D - 2": dims - 2, "D - 2, at least 1": max(dims - 2, 1)}[divisor]
    omega = 10000.0 ** (-numerator * k / divided_by)
    turn = {"sin": jnp.sin, "cos": jnp.cos}

    def encode(position, count):
        if unit != "a patch":
            position = UNITS[unit](position, count)
        angle = (position + first if first else position)[:, None] * omega
        pair = [turn[name](angle) for name in functions]
        if layout == "stacked":
            return jnp.concatenate(pair, axis=1)
        return jnp.stack(pair, axis=2).reshape(len(position), dims)

    if order in ("column by column", "sizes swapped"):
        y, x = jnp.tile(jnp.arange(height), width), jnp.repeat(jnp.arange(width), height)
    else:
        y, x = jnp.repeat(jnp.arange(height), width), jnp.tile(jnp.arange(width), height)
    if order in ("x first", "sizes swapped"):
        y, x = x, y
    elif order == "y twice":
        x = y
    elif order == "x twice":
        y = x
    if joined == "row number":
        table = encode(jnp.arange(height * width), height * width)
    elif joined == "summed":
        table = encode(y, height) + encode(x, width)
    else:
        table = jnp.concatenate([encode(y, height), encode(x, width)], axis=1)
    if layout in CYCLES:
        # From (half, pair, sine or cosine) to a cycle of four for each pair.
        table = table.reshape(height * width, 2, d_model // 4, 2).transpose(0, 2, *CYCLES[layout])
        if layout[0] == "x":
            table = table[:, :, ::-1] if CYCLES[layout] == (1, 3) else table[..., ::-1]
    return table.reshape(-1)


problem = Problem(
    reference=sincos_2d,
    axes=("patch", "dim"),
    picture=[Heatmap("patch", "dim"), Waves("patch", "dim")],
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
            "x-first",
            why="The halves have changed places: x stands in the first half of the dimensions, y in the second.",
            hint="One coordinate stays the same along the first row of patches: which half should stay with it?",
            order="x first",
        ),
        Pitfall(
            "column-major",
            why="The patches are listed column by column: the second row of the table is the patch below the first.",
            hint="When you read a page, which of the two coordinates changes with every step?",
            order="column by column",
        ),
        # This is x-first and column-major at once, by one slip: so the three share a knob.
        Pitfall(
            "sizes-swapped",
            why="Height and width have changed places: the grid has `width` rows of `height` patches.",
            hint="How many patches are there in one row of the grid: as many as it is high, or as it is wide?",
            order="sizes swapped",
        ),
        Pitfall(
            "one-coordinate-twice",
            why="Both halves encode the same coordinate: whole rows or columns of patches cannot be told apart.",
            hint="Which coordinate does each half encode, and do the two halves of a patch ever differ?",
            order=any_of("y twice", "x twice"),
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
            "endpoint-exponent",
            why="The exponent is divided by one step too few: the last pair of each half reaches exactly 1/10000, "
            "and a lone pair may divide zero by zero.",
            hint="Does the list of exponents include its end point?",
            # At d_model = 4 some people divide zero by zero, and some guard against it.
            divisor=any_of("D - 2", "D - 2, at least 1"),
        ),
        Pitfall(
            "one-based-positions",
            why="Rows and columns are counted from 1: every patch is one step too far down and to the right.",
            hint="Which sines and cosines belong to the very first patch?",
            first=1,
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
        Pitfall(
            "cycles-of-four",
            why="Each frequency has four dimensions in a row, two of y and two of x: no half belongs to one coordinate.",
            hint="Which dimensions change from one patch to the next in a row of the image?",
            layout=any_of(alone=[*CYCLES]),
        ),
        Pitfall(
            "normalised-positions",
            why="The positions are measured by the size of the image: one step is shorter in a larger image.",
            hint="By which angle does the first pair turn from one patch to the next, and does the image's size change it?",
            unit=any_of(alone=[*UNITS]),
        ),
        Pitfall(
            "summed-halves",
            why="The encodings of y and x, each d_model wide, were added: patches (y, x) and (x, y) look the same.",
            hint="Which dimensions should tell of y alone, whatever x may be?",
            joined="summed",
        ),
        Pitfall(
            "one-dimensional",
            why="The patches are encoded by their number in the list, as if the image were a sentence.",
            hint="How far apart are the numbers of two patches that touch, one above the other?",
            joined="row number",
            # The number of a patch knows of no coordinates that could be exchanged: not to be combined.
            order="row by row",
        ),
    ],
)
