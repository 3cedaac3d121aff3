"""Sinusoidal positions (Vaswani et al., 2017, section 3.5) that are saved and not trained, dropout after the sum (5.4)."""

from functools import cache

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of


@cache
def keys(seed):
    """The keys that a stream of `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(3)]


@cache
def keys_of_the_library(seed):
    """The keys of an `nnx.Dropout`: it takes one key from the stream that it is given, and makes a stream of it."""
    with jax.ensure_compile_time_eval():
        stream = nnx.Rngs(jax.random.key(seed)).params.fork()
        return [stream() for _ in range(3)]


def position_module(
    seed,
    T,
    d_model,
    max_len,
    rate,
    *,
    table="kept",
    rows="first",
    layout="interleaved",
    first=0,
    gain_on="x",
    dropped="sum",
    mask="keep",
    rescale="divided",
    masks="new",
    evaluation="plain",
    step="down",
    loss="mean",
):
    """`(2 T + max_len, d_model)`: a call in training, one in evaluation after a step of training, and the table."""
    seed, T, d_model, max_len, rate = int(seed), int(T), int(d_model), int(max_len), float(rate)
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    own = keys_of_the_library(seed + 1) if masks == "of nnx.Dropout" else keys(seed + 1)
    if masks == "same":
        own = [own[0]] * 3

    position = jnp.arange(max_len)[:, None]
    if first:
        position = position + first
    angles = position * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    axis = -1 if layout == "interleaved" else -2
    waves = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=axis).reshape(max_len, d_model)
    taken = {"first": jnp.arange(T), "last": max_len - T + jnp.arange(T), "none": jnp.zeros(T, dtype=jnp.int32)}[rows]

    def drop(value, key):
        keep = jax.random.bernoulli(key, rate if mask in ("rate", "drop") else 1 - rate, (T, d_model))
        if mask == "drop":
            keep = ~keep
        return jnp.where(keep, value / (1 - rate) if rescale == "divided" else value, 0.0)

    def call(gain, waves, key=None):
        tokens = x * gain if gain_on == "x" else x
        rows_used = waves[taken] * gain if gain_on == "table" else waves[taken]
        if key is None:
            summed = tokens + rows_used
        elif dropped == "x":
            summed = drop(tokens, key) + rows_used
        elif dropped == "table":
            summed = tokens + drop(rows_used, key)
        else:
            summed = drop((tokens + rows_used) * gain if gain_on == "sum" else tokens + rows_used, key)
        return summed * gain if gain_on == "sum" and (key is None or dropped != "sum") else summed

    def loss_of(trained):
        squares = call(*trained, own[1]) ** 2
        return squares.mean() if loss == "mean" else squares.sum()

    gain = jnp.ones(d_model)
    before = call(gain, waves, own[0])
    by_gain, by_table = jax.grad(loss_of)((gain, waves))
    rate_of_step = {"down": 0.1, "up": -0.1, "none": 0.0}[step]
    gain = gain - rate_of_step * by_gain
    if table == "trained":
        waves = waves - rate_of_step * by_table
    after = call(gain, waves, own[2] if evaluation == "dropped" else None)
    after = after * {"multiplied": 1 - rate, "divided": 1 / (1 - rate)}.get(evaluation, 1.0)
    return jnp.concatenate([before, after, waves]).reshape(-1)


problem = Problem(
    reference=position_module,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"T": Whole(reach=300), "d_model": Whole(2, step=2), "max_len": Whole(), "rate": Real(0.0, below=1.0)},
    legal=[lambda T, max_len: max_len >= T],
    cases=[
        (5, 1, 4, 1, 0.25),
        (0, 2, 2, 3, 0.5),
        (4, 2, 6, 2, 0.25),
        (1, 3, 4, 5, 0.25),
        (1, 2, 8, 2, 0.0),
        (1, 3, 4, 6, 0.96),
        (4, 1, 12, 9, 0.96),
        (0, 300, 2, 300, 0.0),
    ],
    pitfalls=[
        Pitfall(
            "table-trained",
            why="The step of training has changed the table: it was treated like a parameter.",
            hint="Of which kind is the variable that holds your table, and what does the optimizer train?",
            table="trained",
            step="down",
        ),
        Pitfall(
            "last-rows",
            why="The tokens have the last rows of the table, as if the sequence ended where the table ends.",
            hint="Which row belongs to the first token of a short sequence?",
            rows="last",
        ),
        Pitfall(
            "one-row-for-all",
            why="All tokens have the first row of the table.",
            hint="How many rows of the table does a sequence of T tokens need?",
            rows=any_of(alone=["none"]),
        ),
        Pitfall(
            "halves",
            why="Each row of the table holds all sines first and then all cosines.",
            hint="In which order do sine and cosine stand in a row of this table?",
            layout="halves",
        ),
        Pitfall(
            "one-based-positions",
            why="The table begins with position 1. Its first row should be position 0.",
            hint="What are sine and cosine of the first row?",
            first=1,
        ),
        Pitfall(
            "gain-on-the-sum",
            why="The gain multiplies the sum. So its gradient, and the step, depend on the table as well.",
            hint="Which of the two summands does the gain multiply?",
            gain_on="sum",
            step="down",
        ),
        Pitfall(
            "gain-on-the-table",
            why="The gain multiplies the table, and not x.",
            hint="Which of the two summands does the gain multiply?",
            gain_on="table",
            step="down",
        ),
        Pitfall(
            "dropout-before-the-sum",
            why="Dropout was applied to x, and the positions were added afterwards.",
            hint="After dropout, which numbers of the result should be zero?",
            dropped="x",
        ),
        Pitfall(
            "dropout-on-the-table",
            why="Dropout was applied to the positions, and the tokens were added afterwards.",
            hint="After dropout, which numbers of the result should be zero?",
            dropped="table",
        ),
        Pitfall(
            "rate-for-keep",
            why="Each number was kept with the probability `rate`.",
            hint="Is `rate` the share that stays, or the share that goes?",
            mask="rate",
        ),
        Pitfall(
            "mask-of-drops",
            why="The numbers kept are those that a draw of the dropped ones would leave. The statement draws the kept ones.",
            hint="Which call of bernoulli does the task ask for, and with which probability?",
            mask="drop",
        ),
        Pitfall(
            "missing-rescale",
            why="The numbers that stay are as large as before: nothing was divided by 1 - rate.",
            hint="If half of the numbers go, what keeps the mean of a row where it was?",
            rescale="none",
        ),
        Pitfall(
            "same-mask-twice",
            why="The first call and the step of training dropped the same numbers: both got the same key.",
            hint="How many keys does your program take from the stream before the evaluation?",
            masks="same",
        ),
        Pitfall(
            "library-dropout",
            why="The masks are those of `nnx.Dropout`: it makes a stream of its own from the first key of the stream "
            "that it is given.",
            hint="Which class draws your masks, and from which stream does it take its keys?",
            masks=any_of(alone=["of nnx.Dropout"]),
        ),
        Pitfall(
            "dropout-in-eval",
            why="The evaluation dropped numbers too.",
            hint="What does `eval()` change in your module, and who looks at it?",
            evaluation="dropped",
        ),
        Pitfall(
            "rescaled-in-eval",
            why="The numbers of the evaluation were scaled, with 1 - rate or its inverse.",
            hint="In training the kept numbers were scaled up already. What is left to do in evaluation?",
            evaluation=any_of(alone=["divided", "multiplied"]),
        ),
        Pitfall(
            "scaled-in-eval-only",
            why="Training scaled nothing, and evaluation made all numbers smaller. That is dropout as first "
            "published: the usual form scales in training.",
            hint="In which of the two modes does the task want the numbers to be scaled?",
            rescale="none",
            evaluation="multiplied",
        ),
        Pitfall(
            "nothing-learned",
            why="The evaluation shows a gain of ones still: it came before the step, or the step did not change your model.",
            hint="Which of the two comes first in your code, and does the step change the gain of your model or of a copy?",
            step="none",
        ),
        Pitfall(
            "gradient-ascent",
            why="The gain moved along the gradient, and not against it.",
            hint="Which sign do the gradients have that the optimizer expects?",
            step="up",
        ),
        Pitfall(
            "summed-loss",
            why="The squares were summed: the step is larger by the number of the values.",
            hint="Which of the two, sum or mean, does the task name for the loss?",
            loss="sum",
            step="down",
        ),
    ],
)
