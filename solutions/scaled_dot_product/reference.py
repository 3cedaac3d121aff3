"""Scaled dot-product attention (Vaswani et al., 2017, section 3.2.1, equation 1)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of

SHIFTED = {
    "sums across": ("nothing", "across"),
    "shifted, sums across": ("along", "across"),
    "maxima and sums across": ("across", "across"),
    "maxima across": ("across", "along"),
}
"""Of a softmax by hand: along what the maxima are taken off, and along what the sums divide. Across, they lie in a row."""


def weights_of_other_rows(scores, maxima, sums):
    largest = scores.max(axis=1, keepdims=True)
    shifted = {"nothing": scores, "along": scores - largest, "across": scores - largest.T}[maxima]
    powers = jnp.exp(shifted)
    total = powers.sum(axis=1, keepdims=True)
    return powers / (total if sums == "along" else total.T)


def scaled_dot_product(
    seed,
    T,
    d_model,
    *,
    scores_of="queries with keys",
    scale="root of d",
    seen="all",
    over="keys",
    weights_of="queries",
    values="v",
):
    """The `(T, d_model)` outputs of attention, `softmax(q k^T / sqrt(d)) v`."""
    T, d_model = int(T), int(d_model)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)

    scores = q @ k.T if scores_of == "queries with keys" else k @ q.T
    if scale == "root of d":
        scores = scores / jnp.sqrt(d_model)
    elif scale == "times the root":
        scores = scores * jnp.sqrt(d_model)
    elif scale == "d":
        scores = scores / d_model
    elif scale == "root of T":
        scores = scores / jnp.sqrt(T)
    if seen == "past":
        scores = jnp.where(jnp.tril(jnp.ones((T, T), bool)), scores, -jnp.inf)

    weights = scores
    if over in SHIFTED:
        weights = weights_of_other_rows(scores, *SHIFTED[over])
    elif over != "nothing":
        weights = jax.nn.softmax(scores, axis={"keys": -1, "queries": 0, "both": None}[over])
    if scale == "after softmax":
        weights = weights / jnp.sqrt(d_model)
    if weights_of == "keys":
        weights = weights.T
    return (weights @ (v if values == "v" else k)).reshape(-1)


problem = Problem(
    reference=scaled_dot_product,
    axes=("query", "dim"),
    picture=Heatmap("query", "dim"),
    arguments={"T": Whole(), "d_model": Whole()},
    cases=[
        (0, 1, 3),
        (5, 3, 1),
        (1, 3, 2),
        (0, 2, 5),
        (0, 5, 4),
        (1, 24, 16),
    ],
    pitfalls=[
        Pitfall(
            "unscaled-scores",
            why="The scores were not scaled down before the softmax: its weights are too sharp.",
            hint="What stands under the dot products in the formula of the scores?",
            scale="none",
        ),
        Pitfall(
            "scaled-by-width",
            why="The scores were divided by the number of dimensions itself: the softmax's weights are too even.",
            hint="How does the spread of a dot product grow with the number of its terms?",
            scale="d",
        ),
        Pitfall(
            "scaled-by-length",
            why="The scores were divided by the root of the number of positions: a dot product adds up the dimensions of a "
            "query and a key.",
            hint="How many terms does the dot product of one query and one key have?",
            scale="root of T",
        ),
        Pitfall(
            "multiplied-scores",
            why="The scores were multiplied by the root: they grow twice over with the number of dimensions.",
            hint="Should wider vectors make the scores larger?",
            scale="times the root",
        ),
        Pitfall(
            "scaled-after-softmax",
            why="The weights were scaled down, and not the scores: the weights of one query add up to less than 1.",
            hint="At which step do the formula's scores meet their scale, before the exponential or after it?",
            scale="after softmax",
        ),
        Pitfall(
            "softmax-over-queries",
            why="The softmax ran over the queries: the weights of one query do not add up to 1.",
            hint="Along which axis of the scores should the weights add up to 1?",
            over="queries",
        ),
        Pitfall(
            "softmax-over-everything",
            why="The softmax ran over the whole array: all weights of all queries together add up to 1.",
            hint="What should the weights of a single query add up to?",
            over="both",
        ),
        Pitfall(
            "sums-of-other-rows",
            why="The weights of one query were divided by the sums of several queries: the sums of all queries lie in one "
            "row, and each column meets one of them.",
            hint="Which shape have your sums, and along which axis do they meet the scores?",
            over=any_of(alone=["sums across", "shifted, sums across", "maxima and sums across"]),
        ),
        Pitfall(
            "maxima-of-other-rows",
            why="What was taken off the scores of a query differs from key to key: the largest scores of all queries "
            "lie in one row. Only one number for a whole row changes no weight.",
            hint="Which shape have your maxima, and along which axis do they meet the scores?",
            over=any_of(alone=["maxima across"]),
        ),
        Pitfall(
            "no-softmax",
            why="The values were added up with the scores themselves: no softmax has made weights of them.",
            hint="May a weight be negative?",
            over="nothing",
        ),
        Pitfall(
            "transposed-scores",
            why="Queries and keys have changed places: row i of the scores belongs to key i.",
            hint="In your scores, does a row hold what one query asks of all keys? Are queries and keys drawn as in the "
            "stub?",
            scores_of="keys with queries",
        ),
        Pitfall(
            "transposed-weights",
            why="The weights were transposed before they met the values: values were added up over the queries.",
            hint="In the sum of the values, which index of the weights goes along with the values?",
            weights_of="keys",
        ),
        Pitfall(
            "keys-for-values",
            why="The outputs are means of the keys: the values have not been asked.",
            hint="What is handed out once the weights are known?",
            values="k",
        ),
        Pitfall(
            "future-hidden",
            why="Queries do not see the keys that come after them: a mask was applied that this lesson does not have.",
            hint="How many keys does the first query see?",
            seen="past",
        ),
    ],
)
