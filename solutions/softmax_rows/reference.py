"""Softmax of rows, with the maximum taken off (Goodfellow, Bengio and Courville, Deep Learning, section 4.1)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of


def softmax_rows(
    seed, N, V, scale, *, factor="before", over="row", shifted_by="maximum", logarithm="not taken", shape="softmax"
):
    """The `(N, V)` softmax of the rows of `scale` times normal numbers."""
    N, V, scale = int(N), int(V), float(scale)
    key = jax.random.key(seed)
    z = jax.random.normal(key, (N, V), dtype=jnp.float32)
    x = z
    if factor == "before":
        x = scale * z
    elif factor == "divisor":
        x = z / scale

    axis = {"row": 1, "column": 0, "all": None}[over.split(",")[0]]
    if shifted_by in ("nothing", "nothing, by logarithm"):
        powers = jnp.exp(x)
    elif shifted_by == "maximum of the column":
        # Compilers scale and subtract in one step: the maximum is rounded once more than what it is taken off.
        powers = jnp.exp(x - (1.0 * x).max(axis=0))
    elif shifted_by == "maximum of the array":
        powers = jnp.exp(x - x.max())
    elif isinstance(shifted_by, tuple):
        powers = jnp.exp(jnp.clip(x, *shifted_by))
    else:
        powers = jnp.exp(x - x.max(axis=1 if over.endswith("shifted by row") else axis, keepdims=True))
    if shifted_by == "maximum":
        total = powers.sum(axis=axis, keepdims=True)
    else:
        terms = jnp.exp(x) if shifted_by == "maximum, above only" else powers
        total = terms.sum(axis=axis, keepdims=True)
        # Said in so many words, since noise would make NaN of an infinite sum, where float32 makes none.
        total = jnp.where(jnp.isinf(terms).any(axis=axis, keepdims=True), jnp.inf, total)

    shares = powers / total if shifted_by != "nothing, by logarithm" else jnp.exp(x - jnp.log(total))
    if shape == "sigmoid":
        shares = jax.nn.sigmoid(x)
    elif shape == "twice":
        shares = jax.nn.softmax(shares, axis=axis)
    if logarithm == "taken":
        shares = jax.nn.log_softmax(x, axis=axis)
    elif logarithm == "of float32":
        shares = jnp.log(jnp.where(shares < 1e-42, 0.0, shares))  # smaller shares are zero in float32
    if factor == "after":
        shares = scale * shares
    return shares.reshape(-1)


LIMITS = (20.0, 30.0, 50.0, 60.0, 70.0, 80.0, 85.0, 87.0, 88.0)
"""Exponents that people cut off at, so that no exponential is infinite."""

# Seeds are chosen with care. Where the formula overflows, float32 and float64 overflow alike: no logit lies between 88 and
# 710. No row or column as a whole underflows in float32 alone. With a scale of 1000, one row lies far below the other: its
# exponentials are zero in both if the maximum of the whole array is subtracted. And two logits of a row are near each other,
# or one share would be 1 whatever the rounding, and the tolerance too strict.
problem = Problem(
    reference=softmax_rows,
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    arguments={"N": Whole(), "V": Whole(), "scale": Real(above=0.0)},
    cases=[
        (5, 3, 1, 2.0),
        (0, 2, 3, 1.0),
        (2462, 2, 3, 1000.0),
        (3, 1, 5, 2.0),
        (6, 3, 4, 30.0),
        (1, 9, 2, 0.5),
        (3, 5, 9, 0.05),
        (6, 5, 9, 30.0),
    ],
    pitfalls=[
        Pitfall(
            "raw-exponents",
            why="The exponentials of large logits are infinite, and so is their sum: shares come out as zero or NaN. "
            "The largest exponents were not made small first.",
            hint="Which change of a row leaves all its shares as they are, and its exponents small?",
            shifted_by=any_of("nothing", "nothing, by logarithm"),
        ),
        Pitfall(
            "shifted-above-only",
            why="Something was taken off the logits above the line and not below it: the shares of a row add up to "
            "anything but 1.",
            hint="Which exponentials do you divide, and by the sum of which?",
            shifted_by="maximum, above only",
        ),
        Pitfall(
            "column-maximum",
            why="Each column had a maximum of its own taken off: the logits of one row were moved by different amounts.",
            hint="Which shape has your maximum, and along which axis does it meet the rows?",
            shifted_by="maximum of the column",
        ),
        Pitfall(
            "over-columns",
            why="The columns add up to 1, and the rows do not.",
            hint="Along which axis does a row run?",
            over=any_of("column", "column, shifted by row"),
        ),
        Pitfall(
            "global-sum",
            why="The exponentials were divided by the sum over everything: the whole array adds up to 1, and no row does.",
            hint="How many sums does an array of several rows need?",
            over=any_of("all", "all, shifted by row"),
        ),
        Pitfall(
            "log-softmax",
            why="These are logarithms of shares: none of them is above zero.",
            hint="Which of two functions of similar names did you take, or is there one step too many?",
            logarithm=any_of("taken", "of float32"),
        ),
        Pitfall(
            "scale-forgotten",
            why="The numbers came into the softmax as they were drawn: the scale makes no difference.",
            hint="Which of the arguments does your code never use?",
            factor="nowhere",
        ),
        Pitfall(
            "divided-by-scale",
            why="The logits were divided by the scale, as by a temperature: a large scale makes the shares alike.",
            hint="Should a large scale make the softmax sharp, or even?",
            factor="divisor",
        ),
        Pitfall(
            "scaled-after",
            why="The shares were multiplied by the scale, and not the logits: the rows add up to the scale.",
            hint="At which step does the scale come in, before the exponential or after it?",
            factor="after",
        ),
        Pitfall(
            "softmax-twice",
            why="A softmax was taken of the shares: they are all nearly alike, whatever the scale.",
            hint="How often does your code take exponentials, and of what?",
            shape="twice",
        ),
        Pitfall(
            "sigmoid-for-softmax",
            why="Every number was squeezed between 0 and 1 by itself: the rest of its row made no difference.",
            hint="If one logit of a row grows, what should become of the shares of the others?",
            shape="sigmoid",
        ),
        Pitfall(
            "global-maximum",
            why="A row that lies far below the largest number of the array is NaN: all its exponentials are zero, and so "
            "is their sum.",
            hint="If one row lies hundreds below another, how large are its exponents after your subtraction?",
            shifted_by=any_of(alone=["maximum of the array"]),
        ),
        Pitfall(
            "exponents-clipped",
            why="Logits beyond a limit are treated alike: the exponents were cut off there, so differences among large "
            "logits are lost.",
            hint="If two logits of a row are 1000 and 1001, what is their difference when your exponential is taken?",
            shifted_by=any_of(alone=[limits for top in LIMITS for limits in ((None, top), (-top, top))]),
        ),
    ],
)
