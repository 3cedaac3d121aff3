"""Root-mean-square normalisation (Zhang and Sennrich, 2019)."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from grader import Heatmap, Pitfall, Problem, Whole, any_of

AXES = {"row": (1,), "column": (0,), "all": (0, 1)}


def rms_norm(
    seed,
    N,
    d_model,
    *,
    over="row",
    less_mean="nothing",
    mean=True,
    eps=1e-6,
    outside=False,
    root=True,
    gain_is="factor",
):
    """`(N, d_model)`: every row over the root of the mean of its squares, times the gain."""
    N, d_model = int(N), int(d_model)
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # As the stub has it; made by NumPy, since what is given needs no mutants.
    x = x * np.where(np.arange(N) % 2 == 0, 1.0, 0.001).astype(np.float32)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)

    axes = AXES[over]
    count = math.prod(x.shape[axis] for axis in axes)
    measured = x if less_mean == "nothing" else x - x.mean(axes, keepdims=True)
    square = (measured**2).sum(axes, keepdims=True)
    if mean:
        square = square / count
    if not root:
        size = square + eps
    elif root == "square":
        size = (square + eps) ** 2
    elif root == "of the root":
        size = jnp.sqrt(jnp.sqrt(square) + eps)
    elif root == "below one":
        size = 1 / jnp.sqrt(square + eps)
    elif outside:
        size = jnp.sqrt(square) + eps
    else:
        size = jnp.sqrt(square + eps)
    normalised = (measured if less_mean == "rows and squares" else x) / size

    if gain_is == "missing":
        return normalised.reshape(-1)
    return (normalised * (1 + gain if gain_is == "less one" else gain)).reshape(-1)


problem = Problem(
    reference=rms_norm,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole()},
    cases=[
        (1, 3, 1),
        (0, 1, 4),
        (0, 2, 3),
        (1, 3, 2),
        (0, 4, 6),
        (1, 20, 32),
    ],
    pitfalls=[
        Pitfall(
            "over-batch",
            why="The mean of the squares was taken down the columns: every token is measured by the other tokens.",
            hint="Does the result of one row depend on the other rows?",
            over="column",
        ),
        Pitfall(
            "over-everything",
            why="One size serves all rows: what the small rows hold is lost beside the large ones.",
            hint="How many sizes do N tokens have?",
            over="all",
        ),
        Pitfall(
            "subtracts-mean",
            why="The rows come out with mean 0 before the gain: that is layer normalisation, without its bias.",
            hint="Which of the two steps of layer normalisation does this norm leave away?",
            less_mean="rows and squares",
        ),
        Pitfall(
            "variance-for-mean-square",
            why="The rows keep their mean, but their size was measured without it: a variance took the place of the "
            "mean of the squares.",
            hint="From which point does a variance measure its distances, and from which a mean square?",
            less_mean="squares",
        ),
        Pitfall(
            "sum-for-mean",
            why="The squares were added up, and not divided by their number: the wider a row, the smaller it comes "
            "out.",
            hint="What do the letters of the name stand for, one by one?",
            mean=False,
        ),
        Pitfall(
            "eps-outside",
            why="The small constant was added after the root: rows of small numbers come out too large.",
            hint="To which of the two is the constant added, the mean of the squares or its root?",
            outside=True,
            root=True,
        ),
        Pitfall(
            "wrong-eps",
            why="The small constant is not the one in the formula: it shows most in rows of small numbers.",
            hint="Which constant does your library take if you give it none, and which did the lesson before take?",
            eps=any_of(1e-5, 2.0**-23, 1e-8),
        ),
        Pitfall(
            "missing-eps",
            why="Too little was added to the mean of the squares: where it is small, the numbers come out too large.",
            hint="What should become of a row of nearly nothing?",
            eps=0.0,
            outside=False,
        ),
        Pitfall(
            "missing-root",
            why="No root was taken: the rows were divided by what stands under it.",
            hint="If all numbers of a row double, by how much does your divisor grow?",
            root=False,
        ),
        Pitfall(
            "square-for-root",
            why="The rows were divided by the square of what stands under the root.",
            hint="Which exponent takes a root, and which one a square?",
            root=any_of(alone=["square"]),
        ),
        Pitfall(
            "root-twice",
            why="A second root was taken: the rows were divided by the root of their root mean square.",
            hint="How many roots lie between the mean of the squares and your divisor?",
            root=any_of(alone=["of the root"]),
        ),
        Pitfall(
            "multiplied-by-root",
            why="The rows were multiplied by the root, and should be divided by it.",
            hint="`rsqrt` gives one over a root. Do you multiply by that, or divide?",
            root=any_of(alone=["below one"]),
        ),
        Pitfall(
            "missing-gain",
            why="The rows were normalised, but no dimension was multiplied by its gain.",
            hint="Which of the arrays that were drawn has your code not used?",
            gain_is="missing",
        ),
        Pitfall(
            "one-plus-gain",
            why="Every dimension was multiplied by one more than its gain: some models store it so, here it is the "
            "factor itself.",
            hint="Where the gain is zero, what should come out?",
            gain_is="less one",
        ),
    ],
)
