"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2) with ALiBi (Press et al., 2022, section 3)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def mha_alibi(
    seed,
    T,
    d_model,
    H,
    *,
    biased="after scale",
    slopes="paper",
    first=1,
    distance="key - query",
    width="head",
    heads=("slices", "slices"),
    hidden="future",
):
    """`(T, d_model)`: multi-head attention, where a key's score is lowered by the head's slope times its distance."""
    T, d_model, H = int(T), int(d_model), int(H)
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    d_head = d_model // H
    into, back = heads

    def split(rows):
        """`(T, d_model)` to `(H, T, d_head)`."""
        if into == "not transposed":
            return rows.reshape(H, T, d_head)
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)

    def merge(answers):
        """`(H, T, d_head)` to `(T, d_model)`."""
        if back == "not transposed":
            return answers.reshape(T, d_model)
        return answers.transpose(1, 0, 2).reshape(T, d_model)

    def powers(n):
        return 2.0 ** (-8 * jnp.arange(first, n + first) / n)

    P = 2 ** (H.bit_length() - 1)  # the largest power of two that is at most H
    if slopes == "one formula":
        m = powers(H)
    elif slopes == "eight heads":
        m = 2.0 ** -jnp.arange(float(first), H + first)
    elif slopes == "all the first":
        m = jnp.full(H, powers(H)[0])
    else:
        m = jnp.concatenate([powers(P), powers(2 * P)[0::2][: H - P]])
    place = jnp.arange(T)
    away = place - place[:, None]  # how far ahead a key is: not above zero where it is seen
    seen = away <= 0
    if hidden == "nothing, distances":
        away = -jnp.abs(away)
    elif hidden == "nothing, zeros":
        away = jnp.minimum(away, 0)
    if distance == "query - key":
        away = -away
    bias = m[:, None, None] * away

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = q @ k.swapaxes(1, 2)
    if biased == "before scale":
        scores = scores + bias
    scores = scores / {"head": d_head, "model": d_model, "heads": H}[width] ** 0.5
    if biased == "after scale":
        scores = scores + bias
    if hidden == "future":
        scores = jnp.where(seen, scores, -jnp.inf)
    shares = jax.nn.softmax(scores, axis=-1)
    return (merge(shares @ v) @ Wo).reshape(-1)


problem = Problem(
    reference=mha_alibi,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (0, 3, 1, 1),
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 2, 3, 3),
        (0, 3, 6, 1),
        (1, 9, 2, 2),
        (0, 5, 24, 12),  # with 12 heads, four slopes are no powers of two: bfloat16 does not hold them
    ],
    pitfalls=[
        Pitfall(
            "bias-before-scale",
            why="The bias was added before the scores were divided: it was divided too, and distance counts for less "
            "the wider a head is.",
            hint="Which of the two terms of a score grows with the width of a head?",
            biased="before scale",
        ),
        Pitfall(
            "not-biased",
            why="No distance has entered the weights: the scores are those of plain heads, or all keys of a query were "
            "lowered alike.",
            hint="What differs between two keys of one query, apart from what they hold?",
            biased="never",
            slopes="paper",
            first=1,
            distance="key - query",
        ),
        Pitfall(
            "positive-bias",
            why="The bias grows with the distance: far keys are favoured over near ones.",
            hint="Should a key that is far away gain or lose?",
            distance="query - key",
        ),
        Pitfall(
            "zero-based-slopes",
            why="The exponent of the first head is 0: its slope is 1, and every head has the slope that is due to "
            "the one before it.",
            hint="Which slope does the last head have, where the number of heads is a power of two?",
            first=0,
        ),
        Pitfall(
            "naive-slopes",
            why="One formula serves every number of heads. It holds for powers of two; elsewhere the slopes are "
            "others.",
            hint="What are the slopes where the number of heads is not a power of two?",
            slopes="one formula",
        ),
        Pitfall(
            "eight-heads-only",
            why="The slopes halve from head to head: these are the slopes of eight heads, whatever the number of "
            "heads.",
            hint="Where in the exponent does the number of heads stand?",
            slopes="eight heads",
        ),
        Pitfall(
            "one-slope-for-all",
            why="All heads have the slope of the first: each sees distances as the others do.",
            hint="What is there in the exponent that changes from head to head?",
            slopes="all the first",
        ),
        Pitfall(
            "scaled-by-model-width",
            why="The scores are divided by the root of the whole model's width: with several heads they are too small, "
            "and distance counts for too much beside them.",
            hint="How many terms does the dot product of one head sum?",
            width="model",
        ),
        Pitfall(
            "scaled-by-heads",
            why="The scores are divided by the root of the number of heads.",
            hint="How many terms does the dot product of one head sum, and what do you divide by?",
            width=any_of(alone=["heads"]),
        ),
        Pitfall(
            "reshape-without-transpose",
            why="An array was reshaped where two of its axes had to change places: numbers of one position landed in "
            "the row of another.",
            hint="If each number told its position and its dimension, what would your heads hold?",
            # On the way to the heads, on the way back, or both.
            heads=any_of(
                ("not transposed", "not transposed"),
                ("not transposed", "slices"),
                ("slices", "not transposed"),
            ),
        ),
        Pitfall(
            "sees-the-future",
            why="Every query sees every key, also those that come after it.",
            hint="What may the first token know of the second?",
            # Beyond the diagonal the formula goes on, or the distances grow again, or the bias is zero.
            hidden=any_of("nothing", "nothing, distances", "nothing, zeros"),
        ),
    ],
)
