"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2) with the turn of RoPE (Su et al., 2021)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def mha_rope(
    seed,
    T,
    d_model,
    H,
    *,
    signs=(1, 1, 0),
    turns="heads",
    pairs="neighbours",
    step=2,
    exponent="head",
    width="head",
    heads=("slices", "slices"),
    mask="before softmax",
):
    """`(T, d_model)`: multi-head attention, where the queries and keys of each head are turned by their positions."""
    T, d_model, H = int(T), int(d_model), int(H)
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    d_head = d_model // H
    into, back = heads
    place = jnp.arange(T)

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

    def turned(rows, sign):
        """`(..., T, d)` with the pairs of the last axis turned, forwards, backwards or (sign 0) not at all."""
        if sign == 0:
            return rows
        d = rows.shape[-1]
        half = d // 2
        omega = 10000.0 ** (-step * jnp.arange(half) / (d if exponent == "head" else d_model))
        angle = place[:, None] * (omega if sign > 0 else -omega)
        a, b = (rows[..., 0::2], rows[..., 1::2]) if pairs == "neighbours" else (rows[..., :half], rows[..., half:])
        both = [a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)]
        if pairs == "neighbours":
            return jnp.stack(both, axis=-1).reshape(rows.shape)
        return jnp.concatenate(both, axis=-1)

    def head_rows(W, sign):
        if turns == "inputs":
            return split(turned(x, sign) @ W)
        if turns == "before split":
            return split(turned(x @ W, sign))
        return turned(split(x @ W), sign)

    q, k, v = head_rows(Wq, signs[0]), head_rows(Wk, signs[1]), head_rows(Wv, signs[2])
    scores = q @ k.swapaxes(1, 2) / {"head": d_head, "model": d_model, "heads": H}[width] ** 0.5
    if mask == "before softmax":
        scores = jnp.where(place[:, None] >= place, scores, -jnp.inf)
    shares = jax.nn.softmax(scores, axis=-1)
    return (merge(shares @ v) @ Wo).reshape(-1)


problem = Problem(
    reference=mha_rope,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(2), "H": Whole()},
    legal=[lambda d_model, H: d_model % (2 * H) == 0],
    cases=[
        (4, 3, 2, 1),
        (5, 2, 6, 3),
        (4, 1, 18, 9),
        (0, 4, 8, 1),
        (0, 5, 24, 3),
        (2, 40, 24, 2),
    ],
    pitfalls=[
        Pitfall(
            "rotates-values",
            why="The values are turned too: what a token hands over depends on where it stands.",
            hint="A turn cancels where two turned vectors meet in a dot product: does that happen to a value?",
            signs=(1, 1, 1),
        ),
        Pitfall(
            "queries-only",
            why="The queries are turned, the keys are not: the scores know where a query stands, but not how far "
            "away the key is.",
            hint="Which of the two vectors in a dot product has a position?",
            signs=(1, 0, 0),
        ),
        Pitfall(
            "keys-only",
            why="The keys are turned, the queries are not: the scores know where a key stands, but not how far away "
            "the query is.",
            hint="Which of the two vectors in a dot product has a position?",
            signs=(0, 1, 0),
        ),
        Pitfall(
            "opposite-signs",
            why="Queries and keys are turned in opposite directions: the angles add up, and the scores depend on the "
            "sum of the two positions.",
            hint="Two hands of a clock both move on by one hour: what happens to the angle between them?",
            signs=any_of((1, -1, 0), (-1, 1, 0)),
        ),
        Pitfall(
            "rotates-backwards",
            why="Queries and keys are both turned in the wrong direction: a key that comes before is taken for one "
            "that comes after.",
            hint="Where does a turn by a small positive angle take a point of the first axis: up or down?",
            signs=(-1, -1, 0),
        ),
        Pitfall(
            "not-turned",
            why="No position has entered the scores: queries and keys are as they were projected, or were turned "
            "alike, whatever their places.",
            hint="Do the arrays that you compare depend on the position, and along the right axis?",
            signs=(0, 0, 0),
            turns="heads",
            pairs="neighbours",
            step=2,
            exponent="head",
        ),
        Pitfall(
            "rope-before-split",
            why="The turn took place before the heads were cut out: the frequencies fall over the whole width, and the "
            "heads turn at different ones.",
            hint="What is the frequency of the first pair in the second head?",
            turns="before split",
        ),
        Pitfall(
            "rope-before-projection",
            why="The tokens themselves were turned, before they were made into queries and keys: after the matrices, "
            "the scores no longer depend on distances alone.",
            hint="Between which two steps of attention does a position enter?",
            turns="inputs",
            # Who turns x once and for all turns it for the values too.
            signs=any_of((1, 1, 0), (1, 1, 1)),
        ),
        Pitfall(
            "half-split",
            why="Dimension k was turned together with dimension k + d/2: the pairs are those of the two halves.",
            hint="Which dimension stands beside dimension 0 in the pairs that are asked for?",
            pairs="halves",
        ),
        Pitfall(
            "half-exponent",
            why="The frequencies are those of 10000^(-k/d), the same as a base of 100: every pair but the first "
            "turns too fast.",
            hint="By how much does the exponent grow from one pair to the next?",
            step=1,
        ),
        Pitfall(
            "model-width-exponent",
            why="The exponent is divided by the width of all heads together: with several heads, every pair but the "
            "first turns too fast.",
            hint="How many dimensions are there to be turned within one head?",
            exponent="model",
            turns="heads",
        ),
        Pitfall(
            "scaled-by-model-width",
            why="The scores are divided by the root of the whole model's width: with several heads they are too small, "
            "and the weights too even.",
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
            mask="none",
        ),
    ],
)
