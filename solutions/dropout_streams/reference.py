"""Inverted dropout with the keys that a stream of Flax hands out (Srivastava et al., 2014; flax.nnx.Rngs)."""

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


def dropout_streams(
    seed,
    N,
    d,
    rate,
    *,
    masks="new",
    stream="dropout",
    drawn="each number",
    mask="keep",
    rescale="divided",
    evaluation="plain",
    order="training first",
):
    """`(3, N, d)`: `where(keep, x / (1 - rate), 0)` with two masks, then `x`."""
    seed, N, d, rate = int(seed), int(N), int(d), float(rate)
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    own = keys(seed if stream == "params" else seed + 1)
    if stream == "of nnx.Dropout":
        own = keys_of_the_library(seed + 1)
    elif stream == "key of the stream":
        own = [jax.random.key(seed + 1)] * 3
    if masks == "same":
        own = [own[0]] * 3
    elif masks == "one key taken before":
        own = [own[1], own[2], own[0]]

    shape = {"each number": (N, d), "one row": (d,), "each row": (N, 1)}[drawn]
    scales = {"divided": 1 / (1 - rate), "none": 1.0, "multiplied": 1 - rate, "by rate": 1 / rate if rate else jnp.inf}
    scale = scales[rescale]

    def drop(key):
        keep = jax.random.bernoulli(key, rate if mask in ("rate", "drop") else 1 - rate, shape)
        if mask in ("drop", "inverted"):
            keep = ~keep
        return jnp.where(keep, x * scale, 0.0)

    calls = [drop(own[0]), drop(own[1])]
    if evaluation == "one call early":
        calls[1] = last = x
    elif evaluation == "dropped":
        last = drop(own[2])
    else:
        last = x * {"plain": 1.0, "divided": 1 / (1 - rate), "multiplied": 1 - rate}[evaluation]
    calls = [last, *calls] if order == "evaluation first" else [*calls, last]
    return jnp.stack(calls).reshape(-1)


problem = Problem(
    reference=dropout_streams,
    axes=("call", "row", "dim"),
    picture=Heatmap("row", "dim"),
    contract="keys",
    arguments={"N": Whole(), "d": Whole(), "rate": Real(0.0, below=1.0)},
    cases=[
        (3, 1, 3, 0.5),
        (2, 3, 1, 0.4),
        (2, 4, 2, 0.1),
        (5, 2, 5, 0.7),
        (3, 4, 3, 0.1),
        (3, 5, 3, 0.0),
        (3, 9, 11, 0.96),
    ],
    pitfalls=[
        Pitfall(
            "same-mask-twice",
            why="Both calls of training dropped the same numbers: the second call got the same key as the first.",
            hint="What counts the calls of a stream, and does that count survive your first call?",
            masks="same",
        ),
        Pitfall(
            "key-taken-before",
            why="The first key of the stream was used for something else: the two calls got the second and the third.",
            hint="Who asks the stream for a key before the first call of training?",
            masks=any_of(alone=["one key taken before"]),
        ),
        Pitfall(
            "wrong-stream",
            why="The masks were drawn with keys of the stream `params`, and not with those of `dropout`.",
            hint="From which of the two streams does your module ask for a key?",
            stream="params",
        ),
        Pitfall(
            "key-of-the-stream",
            why="Both masks were drawn with the very key that the stream was made from. The stream hands out other keys.",
            hint="Where does your key come from, if you do not call the stream?",
            stream="key of the stream",
            masks="new",
        ),
        Pitfall(
            "library-dropout",
            why="The masks are those of `nnx.Dropout`: it makes a stream of its own from the first key of the stream "
            "that it is given.",
            hint="Which class draws your masks, and from which stream does it take its keys?",
            stream=any_of(alone=["of nnx.Dropout"]),
        ),
        Pitfall(
            "dropout-in-eval",
            why="The last call dropped numbers too: evaluation was treated like training.",
            hint="What does `eval()` change in your module, and who looks at it?",
            evaluation="dropped",
        ),
        Pitfall(
            "eval-one-call-early",
            why="The second call gave x as it is: it was treated like evaluation.",
            hint="Which of your calls come before `eval()`, and which come after it?",
            evaluation="one call early",
            masks="new",
        ),
        Pitfall(
            "rescaled-in-eval",
            why="The numbers of the evaluation were scaled, with 1 - rate or its inverse. They should be those of x.",
            hint="In training the kept numbers were scaled up already. What is left to do in evaluation?",
            evaluation=any_of("divided", "multiplied"),
        ),
        Pitfall(
            "scaled-in-eval-only",
            why="Training scaled nothing, and evaluation made all numbers smaller. That is dropout as first published, and "
            "the task asks for the usual form: it scales in training.",
            hint="Which of the three calls should give x as it is?",
            rescale="none",
            evaluation="multiplied",
        ),
        Pitfall(
            "rate-for-keep",
            why="Each number was kept with the probability `rate`.",
            hint="Is `rate` the share that stays, or the share that goes?",
            mask="rate",
        ),
        Pitfall(
            "mask-inverted",
            why="What the mask says to keep was dropped, and the rest was kept.",
            hint="Which of the two branches of your choice holds x?",
            mask="inverted",
        ),
        Pitfall(
            "mask-of-drops",
            why="The numbers kept are those that a draw of the dropped ones would leave. The statement draws the kept ones.",
            hint="Which call of bernoulli does the task ask for, and with which probability?",
            mask="drop",
        ),
        Pitfall(
            "missing-rescale",
            why="The numbers that stay are as large as before, so the sum of a row shrinks in training.",
            hint="If half of the numbers go, what keeps the mean of a row where it was?",
            rescale="none",
        ),
        Pitfall(
            "rescale-multiplied",
            why="The numbers that stay were multiplied by 1 - rate: they became smaller, and should become larger.",
            hint="If half of the numbers go, how much larger must the others be?",
            rescale="multiplied",
        ),
        Pitfall(
            "divided-by-rate",
            why="The numbers that stay were divided by `rate`, and not by 1 - rate.",
            hint="If nothing is dropped, by which number should x be divided?",
            rescale="by rate",
        ),
        Pitfall(
            "one-mask-for-all-rows",
            why="In each call all rows lost the same columns: one mask was drawn for a row, and used for all of them.",
            hint="Which shape has the mask that you draw?",
            drawn="one row",
        ),
        Pitfall(
            "whole-rows-dropped",
            why="A row was kept or dropped as a whole: one number was drawn for each row.",
            hint="Which shape has the mask that you draw?",
            drawn="each row",
        ),
        Pitfall(
            "eval-first",
            why="The evaluation stands first, and the two calls of training after it.",
            hint="In which order does the task want the three calls?",
            order="evaluation first",
        ),
    ],
)
