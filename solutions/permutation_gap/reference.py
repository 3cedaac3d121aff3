"""Attention without positions is permutation-equivariant (Vaswani et al., 2017, section 3.5, give the cure)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def permutation_gap(
    seed,
    T,
    d_model,
    *,
    rows="x[perm] and A[perm]",
    positions="after permuting",
    scale="root of d",
    over="keys",
    sides="permuted first",
    halves="without, with",
    step=2,
    layout="interleaved",
):
    """The `(2, T, d_model)` gap between attending to permuted rows and permuting what attention gives."""
    T, d_model = int(T), int(d_model)
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    perm = jax.random.permutation(k2, T)
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-step * jnp.arange(d_model // 2) / d_model)
    if layout == "stacked":
        encoding = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)
    else:
        encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)

    def attend(z):
        scores = z @ z.T
        if scale == "root of d":
            scores = scores / jnp.sqrt(d_model)
        elif scale == "d":
            scores = scores / d_model
        return jax.nn.softmax(scores, axis=-1 if over == "keys" else 0) @ z

    def gap(shifted, plain):
        """`shifted` takes permuted rows and `plain` the rows themselves to what attention is given."""
        inside = jnp.argsort(perm) if rows in ("inverse inside", "inverse twice") else perm
        outside = jnp.argsort(perm) if rows in ("inverse outside", "inverse twice") else perm
        one, other = attend(shifted(inside)), attend(plain())
        other = other if rows == "inside only" else other[outside]
        return one - other if sides == "permuted first" else other - one

    without = gap(lambda order: x[order], lambda: x)
    if positions == "before permuting":
        with_positions = gap(lambda order: (x + encoding)[order], lambda: x + encoding)
    elif positions == "on one side":
        with_positions = gap(lambda order: x[order] + encoding, lambda: x)
    else:
        with_positions = gap(lambda order: x[order] + encoding, lambda: x + encoding)
    both = [without, with_positions] if halves == "without, with" else [with_positions, without]
    return jnp.stack(both).reshape(-1)


problem = Problem(
    reference=permutation_gap,
    axes=("half", "row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"T": Whole(3), "d_model": Whole(2, step=2)},
    cases=[
        (0, 4, 2),
        (3, 3, 4),
        (0, 5, 4),
        (3, 4, 6),
        (0, 7, 10),
        (2, 11, 8),
        (1, 40, 32),
    ],
    pitfalls=[
        Pitfall(
            "inverse-permutation",
            why="The first half is far from zero: the two sides were put in different orders, one by the permutation "
            "and one by its inverse.",
            hint="Which row of x stands first in the one side, and which in the other?",
            rows=any_of("inverse inside", "inverse outside"),
        ),
        Pitfall(
            "scattered-rows",
            why="Both sides were ordered by the inverse permutation: row i went to place perm[i], where it should come "
            "from there.",
            hint="Does your code take row perm[i], or put a row there?",
            rows="inverse twice",
        ),
        Pitfall(
            "output-not-permuted",
            why="The first half is far from zero: a row of the permuted side is compared with a row of another token.",
            hint="The two sides hold the same tokens: do they hold them in the same order?",
            rows="inside only",
        ),
        Pitfall(
            "positions-permuted-too",
            why="Both halves are zero: each token took its own position along when it was moved, and no order was left "
            "to see.",
            hint="In a shuffled sentence, which position should the word that now comes first be given?",
            positions="before permuting",
        ),
        Pitfall(
            "positions-on-one-side",
            why="In the second half, only the permuted rows were given positions: the gap compares attention with and "
            "without them.",
            hint="Which inputs of attention should know positions in the second half?",
            positions="on one side",
        ),
        Pitfall(
            "missing-scale",
            why="The scores were not scaled down before the softmax: its weights are too sharp.",
            hint="What stands under the products of the rows in the formula of attention?",
            scale="none",
        ),
        Pitfall(
            "scaled-by-width",
            why="The scores were divided by the whole width: the softmax's weights are too even.",
            hint="How does the spread of a dot product grow with the number of its terms?",
            scale="d",
        ),
        Pitfall(
            "softmax-over-queries",
            why="The softmax ran over the queries: the weights of one query do not add up to 1.",
            hint="Along which axis of the scores should the weights add up to 1?",
            over="queries",
        ),
        Pitfall(
            "sides-swapped",
            why="The second half has the opposite sign: the two sides were subtracted the other way round.",
            hint="Which of the two comes first in the difference, the one that permutes before attention or after it?",
            sides="permuted last",
        ),
        Pitfall(
            "halves-swapped",
            why="The half with positions stands first.",
            hint="Which half of the array should be zero but for rounding?",
            halves="with, without",
        ),
        Pitfall(
            "half-exponent",
            why="The positions turn with the numbers of 1 / 10000^(i/d): every pair but the first turns too fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            step=1,
        ),
        Pitfall(
            "stacked-layout",
            why="In the position table all sines come before all cosines.",
            hint="Which dimension should stand beside dimension 0 of a pair?",
            layout="stacked",
        ),
    ],
)
