"""Layer normalisation (Ba, Kiros and Hinton, 2016, section 3)."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from grader import Heatmap, Pitfall, Problem, Whole, any_of

AXES = {"row": (1,), "column": (0,), "all": (0, 1)}


def layer_norm(
    seed,
    N,
    d_model,
    *,
    over="row",
    mean_of="rows and variance",
    less=0,
    eps=1e-5,
    outside=False,
    root=True,
    gain_is="drawn",
    bias_is="drawn",
    order="gain, bias",
    groups=1,
):
    """`(N, d_model)`: every row less its mean, over its standard deviation, times the gain, plus the bias."""
    N, d_model = int(N), int(d_model)
    key = jax.random.key(seed)
    k1, k2, k3 = jax.random.split(key, 3)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # As the stub has it; made by NumPy, since what is given needs no mutants.
    x = x * np.where(np.arange(N) % 2 == 0, 1.0, 0.001).astype(np.float32)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    bias = jax.random.normal(k3, (d_model,), dtype=jnp.float32)

    if groups > 1:
        # Where the number of dimensions cannot be divided, one group is left.
        x = x.reshape(-1, d_model // math.gcd(d_model, groups))
    axes = AXES[over]
    count = math.prod(x.shape[axis] for axis in axes)
    centred = x if mean_of == "nothing" else x - x.sum(axes, keepdims=True) / count
    variance = (centred**2).sum(axes, keepdims=True) / (count - less)
    if not root:
        spread = variance + eps
    elif root == "square":
        spread = (variance + eps) ** 2
    elif root == "of the root":
        spread = jnp.sqrt(jnp.sqrt(variance) + eps)
    elif root == "below one":
        spread = 1 / jnp.sqrt(variance + eps)
    elif outside:
        spread = jnp.sqrt(variance) + eps
    else:
        spread = jnp.sqrt(variance + eps)
    normalised = ((x if mean_of == "variance" else centred) / spread).reshape(N, d_model)
    if gain_is == "one more":
        gain = 1 + gain

    if order == "bias, gain":
        return (gain * (normalised + bias)).reshape(-1)
    if order == "exchanged":
        gain, bias = bias, gain
    scaled = normalised if gain_is == "missing" else gain * normalised
    return (scaled + bias if bias_is == "drawn" else scaled).reshape(-1)


problem = Problem(
    reference=layer_norm,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole(2)},
    cases=[
        (0, 1, 4),
        (0, 2, 3),
        (1, 3, 2),
        (40, 2, 2),  # the variance of its small row is 1e-11: it tells a constant of 1e-12 from none
        (0, 4, 6),
        (3, 7, 5),
        (1, 20, 32),
    ],
    pitfalls=[
        Pitfall(
            "over-batch",
            why="Mean and variance were taken down the columns: every token is measured by the other tokens.",
            hint="Does the result of one row depend on the other rows?",
            over="column",
        ),
        Pitfall(
            "over-everything",
            why="One mean and one variance serve all rows: what the small rows hold is lost beside the large ones.",
            hint="How many means do N tokens have?",
            over="all",
        ),
        Pitfall(
            "mean-kept",
            why="The rows still have a mean of their own: it was subtracted for the variance, but not from the rows.",
            hint="What is the mean of a normalised row, before gain and bias?",
            mean_of="variance",
        ),
        Pitfall(
            "root-mean-square",
            why="The mean of the squares took the place of the variance, and no mean was subtracted: this is another "
            "norm.",
            hint="What does a variance measure the distance from?",
            mean_of="nothing",
        ),
        Pitfall(
            "unbiased-variance",
            why="The sum of squares was divided by one less than the number of dimensions: the rows come out "
            "too small.",
            hint="Is a row a sample of something larger, or is it all there is?",
            less=1,
        ),
        Pitfall(
            "eps-outside",
            why="The small constant was added to the standard deviation, after the root: rows of small numbers come "
            "out too large.",
            hint="To which of the two is the constant added, the variance or its root?",
            outside=True,
            root=True,
        ),
        Pitfall(
            "wrong-eps",
            why="The small constant is not the one in the formula: it shows most in rows of small numbers.",
            hint="Which constant does your library take if you give it none?",
            eps=any_of(1e-6, 1e-3, alone=[1e-12]),
        ),
        Pitfall(
            "missing-eps",
            why="Too little was added to the variance: where it is small, the numbers come out too large.",
            hint="What should become of a row that is nearly constant?",
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
            why="A second root was taken: the rows were divided by the root of their standard deviation.",
            hint="Does the `std` of your library take a root already?",
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
            why="The rows were multiplied by one more than the gain.",
            hint="With a gain of zero, what should be left of a row?",
            gain_is=any_of(alone=["one more"]),
        ),
        Pitfall(
            "in-groups",
            why="The numbers of a row were normalised in groups, each with a mean and a variance of its own.",
            hint="How many means does one row have?",
            groups=any_of(alone=[2, 4, 8, 32]),
        ),
        Pitfall(
            "missing-bias",
            why="The rows were normalised, but to no dimension was its bias added.",
            hint="Which of the arrays that were drawn has your code not used?",
            bias_is="missing",
        ),
        Pitfall(
            "gain-and-bias-swapped",
            why="The bias multiplies and the gain is added: each does the work of the other.",
            hint="What should a row of equal numbers become: the gain or the bias?",
            order="exchanged",
            gain_is="drawn",
            bias_is="drawn",
        ),
        Pitfall(
            "bias-before-gain",
            why="The bias was added first and multiplied by the gain too.",
            hint="What should a row of equal numbers become, and which of the two steps makes that?",
            order="bias, gain",
            gain_is="drawn",
            bias_is="drawn",
        ),
    ],
)
