"""A shift of the sinusoidal encoding as a matrix (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def sinusoidal_shift(
    seed,
    d_model,
    delta,
    *,
    exponent="2k/D",
    shifted=True,
    block="rotation",
    diagonal="cos",
    layout="blocks",
):
    """The `(d_model, d_model)` matrix M with PE(p + delta) = M @ PE(p), flattened."""
    d_model, delta = int(d_model), int(delta)
    pairs = d_model // 2
    step = {"k/D": 1, "4k/D": 4, "0": 0}.get(exponent, 2)
    angle = 10000.0 ** (-step * jnp.arange(pairs) / (d_model - 1 if exponent == "2k/(D-1)" else d_model))
    if shifted:
        angle = delta * angle
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    if diagonal == "sin":
        cos, sin = sin, cos
    if block == "rotation":
        turn = jnp.array([[cos, sin], [-sin, cos]])
    elif block == "backwards":
        turn = jnp.array([[cos, -sin], [sin, cos]])
    elif block == "both positive":
        turn = jnp.array([[cos, sin], [sin, cos]])
    else:
        turn = jnp.array([[cos, sin], [sin, -cos]])
    if layout == "anti-diagonal":
        diagonals = [jnp.stack([turn[0, b], turn[1, 1 - b]], axis=1).reshape(-1) for b in (0, 1)]
        return (jnp.diag(diagonals[0]) + jnp.fliplr(jnp.diag(diagonals[1]))).reshape(-1)
    # Entry (a, b, k, l): row a of pair k, column b of pair l.
    if layout == "same in every column":
        entries = turn[:, :, :, None] * jnp.ones((pairs, pairs))
    elif layout == "same in every row":
        entries = turn[:, :, None, :] * jnp.ones((pairs, pairs))
    else:
        entries = jnp.where(jnp.eye(pairs, dtype=bool), turn[:, :, :, None], 0.0)
    order = (0, 2, 1, 3) if layout == "stacked" else (2, 0, 3, 1)
    return entries.transpose(order).reshape(d_model, d_model).reshape(-1)


problem = Problem(
    reference=sinusoidal_shift,
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    arguments={"d_model": Whole(2, step=2), "delta": Whole(None, reach=300)},
    cases=[
        (0, 2, -300),
        (0, 4, 1),
        (0, 4, 3),
        (0, 4, -5),
        (0, 6, 2),
        (0, 8, -40),
        (0, 10, 7),
        (0, 30, 1000),
    ],
    pitfalls=[
        Pitfall(
            "half-exponent",
            why="The blocks turn by the angles of 10000^(-k/d), the same as a base of 100: every pair but the first "
            "turns too far.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            exponent="k/D",
        ),
        Pitfall(
            "double-exponent",
            why="The blocks turn by the angles of 10000^(-4k/d): an index that already steps by two was doubled once "
            "more, and every pair but the first turns too little.",
            hint="Does your index count pairs, or dimensions?",
            exponent="4k/D",
        ),
        Pitfall(
            "d-minus-one",
            why="The exponent is divided by d - 1: every pair but the first turns a little too little.",
            hint="By what does the formula divide the index?",
            exponent="2k/(D-1)",
        ),
        Pitfall(
            "one-frequency",
            why="Every pair turns by the same angle, that of the first one.",
            hint="In one step of position, do a fast pair and a slow one turn equally far?",
            exponent="0",
        ),
        Pitfall(
            "shift-forgotten",
            why="This is the matrix of a shift by one position, whatever the shift asked for.",
            hint="Where does delta come into your angles?",
            shifted=False,
        ),
        Pitfall(
            "rotates-backwards",
            why="Every pair is turned by the right angle the wrong way: this matrix leads from position p to p - "
            "delta.",
            hint="Multiply PE(0) by your matrix for a shift of 1: which sign has the first sine, and which has it in "
            "PE(1)?",
            block="backwards",
        ),
        Pitfall(
            "missing-sign",
            why="Both entries beside the diagonal of a block have the same sign: such a block is no rotation, and its "
            "columns do not stand at right angles.",
            hint="Which angle-addition formula has a plus between its two products, and which a minus?",
            block="both positive",
        ),
        Pitfall(
            "reflection",
            why="The minus sign stands at a cosine: such a block mirrors its pair, where it should turn it.",
            hint="What should the matrix be for a shift by no position at all?",
            block="reflection",
        ),
        Pitfall(
            "sine-on-diagonal",
            why="Sine and cosine have changed places in every block: the diagonal holds the sines.",
            hint="What should the matrix be for a shift by no position at all, and what stands on its diagonal?",
            diagonal="sin",
        ),
        Pitfall(
            "stacked-blocks",
            why="This matrix couples dimension k with dimension k + d/2: it fits a layout with all sines first.",
            hint="Which dimension holds the cosine that belongs to the sine of dimension 0?",
            layout="stacked",
        ),
        Pitfall(
            "not-block-diagonal",
            why="Dimensions of different pairs are mixed: there are numbers where no pair meets itself.",
            hint="Which of the old dimensions does the new sine of one pair depend on?",
            layout=any_of("same in every column", "same in every row", "anti-diagonal"),
        ),
    ],
)
