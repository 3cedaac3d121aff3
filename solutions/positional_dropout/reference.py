"""Dropout on the sum of embedding and position (Vaswani et al., 2017, section 5.4; inverted dropout)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of


def positional_dropout(
    seed,
    B,
    T,
    d_model,
    rate,
    *,
    mask="keep",
    drawn="each number",
    rescale="divided",
    dropped="sum",
    evaluation="plain",
    order="training first",
    first=0,
    layout="interleaved",
):
    """`(2, B, T, d_model)`: `where(keep, (x + PE) / (1 - rate), 0)` for training, then `x + PE` for evaluation."""
    B, T, d_model, rate = int(B), int(T), int(d_model), float(rate)
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)

    position = jnp.arange(T)[:, None]
    if first:
        position = position + first
    angle = position * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    axis = -1 if layout == "interleaved" else -2
    encoding = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=axis).reshape(T, d_model)

    shape = {"each number": (B, T, d_model), "one sequence": (T, d_model), "each vector": (B, T, 1)}[drawn]
    keep = jax.random.bernoulli(k2, rate if mask in ("rate", "drop") else 1 - rate, shape)
    if mask in ("drop", "inverted"):
        keep = ~keep

    def drop(value):
        if rescale == "divided":
            value = value / (1 - rate)
        elif rescale == "multiplied":
            value = value * (1 - rate)
        elif rescale == "by rate":
            value = value / rate
        return jnp.where(keep, value, 0.0)

    whole = x + encoding
    if dropped == "sum":
        training = drop(whole)
    elif dropped == "tokens":
        training = drop(x) + encoding
    elif dropped == "positions":
        training = x + drop(encoding)
    if evaluation == "dropped":
        whole = training
    elif evaluation == "scaled":
        whole = whole * (1 - rate)
    elif evaluation == "divided":
        whole = whole / (1 - rate)
    both = [training, whole] if order == "training first" else [whole, training]
    return jnp.stack(both).reshape(-1)


problem = Problem(
    reference=positional_dropout,
    axes=("mode", "sequence", "position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"B": Whole(), "T": Whole(), "d_model": Whole(2, step=2), "rate": Real(above=0.0, below=1.0)},
    cases=[
        (2, 1, 2, 2, 0.25),
        (1, 2, 1, 2, 0.1),
        (4, 2, 3, 4, 0.025),
        (1, 3, 6, 2, 0.96),
        (0, 6, 2, 4, 0.96),
        (0, 9, 1, 6, 0.025),
        (1, 3, 5, 6, 0.1),
        (5, 1, 64, 32, 0.8),
    ],
    pitfalls=[
        Pitfall(
            "rate-for-keep",
            why="The mask keeps a number with the probability `rate`, which is that of dropping it.",
            hint="At a small rate, should most numbers survive, or few?",
            mask="rate",
        ),
        Pitfall(
            "mask-of-the-dropped",
            why="The numbers kept are those that a draw of the dropped ones would leave. The statement draws the kept ones.",
            hint="Does the mask that the task asks for keep a number where a uniform draw is small, or where it is large?",
            mask="drop",
        ),
        Pitfall(
            "mask-inverted",
            why="The numbers that should be kept are zero, and those that should be dropped are there.",
            hint="Which branch of `where` is taken where the mask is True?",
            mask="inverted",
        ),
        Pitfall(
            "shared-mask",
            why="All sequences lose the same numbers: one mask serves the whole batch.",
            hint="Which shape must a mask have for each number of the batch to be chosen on its own?",
            drawn="one sequence",
        ),
        Pitfall(
            "whole-vectors-dropped",
            why="Vectors vanish as a whole: the mask holds one choice for each token.",
            hint="Which shape must a mask have for each number of the batch to be chosen on its own?",
            drawn="each vector",
        ),
        Pitfall(
            "missing-rescale",
            why="What survives training is as large as before: on average the layers above receive less than they will in "
            "evaluation.",
            hint="If some of the numbers are gone, what must happen to the others for the average to stay?",
            rescale=None,
        ),
        Pitfall(
            "rescaled-by-rate",
            why="What survives is divided by the share that was dropped.",
            hint="Which share of the numbers has to make up for the whole?",
            rescale="by rate",
        ),
        Pitfall(
            "rescaled-down",
            why="What survives training has been made smaller, which adds to the loss where it should make up for it.",
            hint="Should the survivors grow or shrink for the average to stay?",
            rescale="multiplied",
        ),
        Pitfall(
            "dropped-before-adding",
            why="The tokens were dropped before the positions joined them: no position is ever dropped.",
            hint="To which array does the formula apply the mask?",
            dropped="tokens",
        ),
        Pitfall(
            "positions-dropped-alone",
            why="The mask has been applied to the positions alone: no token is ever dropped.",
            hint="To which array does the formula apply the mask?",
            dropped="positions",
        ),
        Pitfall(
            "dropout-in-eval",
            why="The second half repeats the first: numbers are dropped in evaluation too.",
            hint="Should the same question get another answer each time it is asked?",
            evaluation="dropped",
        ),
        Pitfall(
            "rescaled-in-eval",
            why="Evaluation is scaled down, although training has made up for the loss already.",
            hint="If the average of training is right already, what is left for evaluation to do?",
            evaluation="scaled",
        ),
        Pitfall(
            "divided-in-eval",
            why="Evaluation is divided by 1 - rate, as training is: nothing was dropped there, so nothing is to be "
            "made up for.",
            hint="Which numbers are missing in evaluation, and what has to make up for them?",
            evaluation=any_of(alone=["divided"]),
        ),
        Pitfall(
            "classical-dropout",
            why="Training is not rescaled and evaluation is scaled down instead, as in the first papers on dropout: every "
            "value is too small by the same factor.",
            hint="In which of the two modes does the formula of this lesson make up for the loss?",
            # The two mistakes together are one decision, and a constant factor.
            rescale=None,
            evaluation="scaled",
        ),
        Pitfall(
            "evaluation-first",
            why="The two halves have changed places: evaluation comes before training.",
            hint="In which order does the task name the two arrays?",
            order="evaluation first",
        ),
        Pitfall(
            "one-based-positions",
            why="The first token of a sequence has the encoding of position 1: every position is one too far.",
            hint="From which number does the encoding of this track count?",
            first=1,
        ),
        Pitfall(
            "stacked-layout",
            why="The encoding stacks its halves: all sines come before all cosines.",
            hint="Which dimension should stand beside the sine of a pair?",
            layout="stacked",
        ),
    ],
)
