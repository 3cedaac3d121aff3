"""Attention with padding (Vaswani et al., 2017, section 3.2.1): padded keys are hidden, padded queries get zeros."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def padded_attention(
    seed,
    B,
    T,
    d_model,
    *,
    keys="padding hidden",
    rows="zero",
    length_off=0,
    scale="root of d",
    over="keys",
    fill=-jnp.inf,
    length_of="each sequence",
):
    """The `(B, T, d_model)` outputs of attention within each sequence, over its first `lengths[b]` keys."""
    B, T, d_model = int(B), int(T), int(d_model)
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    q = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (B, T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (B, T, d_model), dtype=jnp.float32)
    lengths = jax.random.randint(k4, (B,), 1, T + 1, dtype=jnp.int32)

    if length_off:
        lengths = lengths + length_off
    real = jnp.arange(T) < lengths[:, None]
    answered = real
    if length_of != "each sequence":
        whose, hides = length_of
        one = {"longest": jnp.max(lengths), "shortest": jnp.min(lengths), "first": lengths[0], "last": lengths[-1]}[
            whose
        ]
        real = jnp.broadcast_to(jnp.arange(T) < one, (B, T))
        answered = real if hides == "keys and rows" else answered
    if keys == "real hidden, rows too":
        real = answered = ~real
    seen = real[:, None, :]
    if keys == "real hidden":
        seen = ~seen
    elif keys == "future hidden too":
        seen = seen & jnp.tril(jnp.ones((T, T), bool))

    if keys == "inputs zeroed":
        q, k, v = (jnp.where(real[:, :, None], each, 0.0) for each in (q, k, v))
    scores = jnp.einsum("bid,bjd->bij", q, k)
    if scale == "root of d":
        scores = scores / jnp.sqrt(d_model)
    elif scale == "d":
        scores = scores / d_model
    if keys == "padding zeroed":
        scores = jnp.where(seen, scores, 0.0)
    elif keys not in ("all seen", "after softmax", "inputs zeroed"):
        scores = jnp.where(seen, scores, fill)
    weights = jax.nn.softmax(scores, axis=-1 if over == "keys" else 1)
    if keys == "after softmax":
        weights = jnp.where(seen, weights, 0.0)
    out = weights @ v

    blank = jnp.nan if rows == "nan" else 0.0
    if rows == "mean of all values":
        blank = v.mean(axis=1, keepdims=True)
    return (out if rows == "kept" else jnp.where(answered[:, :, None], out, blank)).reshape(-1)


problem = Problem(
    reference=padded_attention,
    axes=("sequence", "query", "dim"),
    picture=Heatmap("query", "dim"),
    arguments={"B": Whole(), "T": Whole(), "d_model": Whole()},
    cases=[
        (3, 3, 1, 1),
        (2, 1, 3, 2),  # lengths 2
        (3, 2, 1, 3),  # 1, 1
        (3, 2, 2, 3),
        (10, 2, 9, 1),  # 6, 9
        (2, 1, 2, 9),
        (0, 9, 2, 2),
        (2, 3, 5, 4),
    ],
    pitfalls=[
        Pitfall(
            "queries-masked-only",
            why="The rows of padded queries are zero, but the real queries still see the padding: it has weight in "
            "their softmax.",
            hint="Your mask runs along one of the two last axes of the scores: do queries or keys stand on it?",
            keys="all seen",
        ),
        Pitfall(
            "not-masked",
            why="Nothing is hidden and nothing is zero: the padding is treated like real tokens.",
            hint="Does the output change with the lengths?",
            keys="all seen",
            rows="kept",
        ),
        Pitfall(
            "zeroed-keys",
            why="Padded keys have a score of zero. That is a score like any other: they keep a weight in the softmax.",
            hint="What does the exponential make of a score of zero?",
            keys="padding zeroed",
        ),
        Pitfall(
            "masked-after-softmax",
            why="The weights of hidden keys were taken away after the softmax: what is left in a row adds up to less "
            "than 1, and the outputs are too small.",
            hint="Who shares in the sum that the weights are divided by?",
            keys="after softmax",
        ),
        Pitfall(
            "padding-rows-kept",
            why="The rows of padded queries hold numbers, and should be zero.",
            hint="Which rows of the output belong to no token?",
            rows=any_of("kept", "mean of all values"),  # the mean: where all keys were hidden from a padded query
        ),
        Pitfall(
            "padding-rows-nan",
            why="The rows of padded queries are NaN: all keys were hidden from them, and a softmax over nothing has no "
            "value.",
            hint="Must a query that is padding see no key at all, or is it enough that nobody reads its row?",
            rows="nan",
        ),
        Pitfall(
            "off-by-one-length",
            why="The border between real tokens and padding is one position off: one token too many, or too few.",
            hint="What is the index of the last token of a sequence whose length is 1?",
            length_off=any_of(1, -1),
        ),
        Pitfall(
            "mask-flipped",
            why="The padding is seen and the real keys are hidden: the mask says the opposite of what it should.",
            hint="Where your mask is True, is a key seen or hidden?",
            keys=any_of("real hidden", "real hidden, rows too"),
            # Where no key is left, infinities give NaN, and large numbers the mean of all values.
            fill=any_of(-jnp.inf, -1e9),
        ),
        Pitfall(
            "future-hidden-too",
            why="Queries do not see the keys that come after them: a causal mask was added to that of the padding.",
            hint="Which keys does this lesson hide, and which did the lesson before?",
            keys="future hidden too",
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
            # The whole column of a hidden key is hidden: infinities give NaN, large numbers an even share.
            fill=any_of(-jnp.inf, -1e9),
        ),
        Pitfall(
            "zeroed-inputs",
            why="Keys and values of the padding are zeros, and nothing is hidden: a key of zeros still takes its share of "
            "the weights.",
            hint="Which score does a key of zeros get, and what is its share after the exponential?",
            keys=any_of(alone=["inputs zeroed"]),
            rows=any_of("kept", "zero"),
        ),
        Pitfall(
            "one-length-for-all",
            why="The keys of all sequences were hidden by the same length.",
            hint="What is the shape of your mask, and can it differ from one sequence to the next?",
            length_of=any_of(
                alone=[
                    (whose, hides)
                    for whose in ("longest", "shortest", "first", "last")
                    for hides in ("keys and rows", "keys only")
                ]
            ),
        ),
    ],
)
