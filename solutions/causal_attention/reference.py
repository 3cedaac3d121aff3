"""Causal attention (Vaswani et al., 2017, section 3.2.3): a query sees itself and the keys before it."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def causal_attention(
    seed,
    T,
    d_model,
    *,
    seen="up to itself",
    hidden="before softmax",
    scores_of="queries with keys",
    scale="root of d",
    over="keys",
    fill=-jnp.inf,
    transposed=False,
):
    """The `(T, d_model)` outputs of attention in which query i sees key j where `j <= i`."""
    T, d_model = int(T), int(d_model)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)

    scores = q @ k.T if scores_of == "queries with keys" else k @ q.T
    if scale == "root of d":
        scores = scores / jnp.sqrt(d_model)
    elif scale == "d":
        scores = scores / d_model
    elif scale == "root of T":
        scores = scores / jnp.sqrt(T)
    elif scale == "T":
        scores = scores / T

    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    if seen == "up to itself":
        visible = j <= i
    elif seen == "all":
        visible = jnp.ones((T, T), bool)
    elif seen == "before itself":
        visible = j < i
    elif seen == "before itself, the first itself":
        visible = (j < i) | ((i == 0) & (j == 0))
    elif seen == "one ahead":
        visible = j <= i + 1
    elif seen == "from itself on":
        visible = j >= i
    elif seen == "after itself":
        visible = j > i
    if hidden == "before softmax":
        scores = jnp.where(visible, scores, fill)
    elif hidden == "by zeros":
        scores = jnp.where(visible, scores, 0.0)
    elif hidden == "by adding":
        scores = jnp.where(visible, scores, scores + fill)
    if over == "sums across":
        powers = jnp.exp(scores)
        weights = powers / powers.sum(axis=1)
    elif over == "shifted, sums across":
        powers = jnp.exp(scores - scores.max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1)
    else:
        weights = jax.nn.softmax(scores, axis=-1 if over == "keys" else 0)
    if hidden == "after softmax":
        weights = jnp.where(visible, weights, 0.0)
    if scale == "root of d, after softmax":
        weights = weights / jnp.sqrt(d_model)
    return ((weights.T if transposed else weights) @ v).reshape(-1)


problem = Problem(
    reference=causal_attention,
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
            "sees-the-future",
            why="Every query sees every key, those after it too: nothing was hidden.",
            hint="How many keys does the first query see?",
            seen="all",
        ),
        Pitfall(
            "sees-one-ahead",
            why="The border lies one key too far: every query sees the key that comes right after it.",
            hint="How many keys does the first query see?",
            seen="one ahead",
        ),
        Pitfall(
            "blind-to-itself",
            why="Queries see the keys before them, but not their own: for the first query, no key is left.",
            hint="At which distance does the past end, and does the query itself belong to it?",
            seen="before itself",
            # Where no key is left, infinities give NaN, and large numbers the mean of all values.
            fill=any_of(-jnp.inf, -1e9),
        ),
        Pitfall(
            "mask-flipped",
            why="The past is hidden and the future is seen: the mask is the wrong way round.",
            hint="Where your mask is True, is a key seen or hidden, and do its rows stand for queries or for keys?",
            seen=any_of("from itself on", "after itself"),
            fill=any_of(-jnp.inf, -1e9),
        ),
        Pitfall(
            "masked-after-softmax",
            why="The weights of hidden keys were taken away after the softmax: what is left in a row adds up to less "
            "than 1.",
            hint="Who shares in the sum that the weights are divided by?",
            hidden="after softmax",
        ),
        Pitfall(
            "zeroed-scores",
            why="Hidden keys have a score of zero. That is a score like any other: they keep a weight in the softmax.",
            hint="What does the exponential make of a score of zero?",
            hidden="by zeros",
        ),
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
            "softmax-over-queries",
            why="The softmax ran over the queries: the weights of one query do not add up to 1.",
            hint="Along which axis of the scores should the weights add up to 1?",
            over="queries",
        ),
        Pitfall(
            "sums-of-other-rows",
            why="The weights of one query were divided by the sums of several queries: the sums of all queries lie in one "
            "row, and each column meets one of them.",
            hint="Which shape have your sums, and along which axis do they meet the scores?",
            over=any_of(alone=["sums across", "shifted, sums across"]),
        ),
        Pitfall(
            "transposed-scores",
            why="Queries and keys have changed places: row i of the scores belongs to key i.",
            hint="In your scores, does a row hold what one query asks of all keys? Are queries and keys drawn as in the "
            "stub?",
            scores_of="keys with queries",
        ),
        Pitfall(
            "scaled-by-length",
            why="The scores were divided by the number of positions, or by its root: the longer the text, the more even "
            "the weights.",
            hint="Over which axis does a dot product add up its terms?",
            scale=any_of(alone=["root of T", "T"]),
        ),
        Pitfall(
            "scaled-after-softmax",
            why="The weights were scaled down after the softmax: those of one query do not add up to 1.",
            hint="What do the weights of the first query add up to in your code?",
            scale=any_of(alone=["root of d, after softmax"]),
        ),
        Pitfall(
            "weak-fill",
            why="Hidden keys keep a weight: the score that hides them is not low enough.",
            hint="What does the exponential make of the score of a hidden key in your code?",
            # Put in place of the score, or added to it.
            fill=any_of(alone=[-1.0, -5.0, -10.0]),
            hidden=any_of("before softmax", "by adding"),
        ),
        Pitfall(
            "weights-transposed",
            why="The matrix of weights was transposed: row i of it holds the weights of key i in all queries, and not those "
            "of query i.",
            hint="What do the weights in each row add up to, where they meet the values?",
            transposed=any_of(alone=[True]),
        ),
        Pitfall(
            "only-the-first-sees-itself",
            why="Queries see the keys before them, but not their own. Only the first query sees its own key.",
            hint="How many keys does the second query see in your code, and how many should it see?",
            seen=any_of(alone=["before itself, the first itself"]),
        ),
    ],
)
