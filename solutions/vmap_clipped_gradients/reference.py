"""The mean of clipped gradients, one for each example (Abadi et al., 2016, algorithm 1, without the noise)."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole


def vmap_clipped_gradients(
    seed,
    N,
    d_model,
    limit,
    *,
    slope=2.0,
    direction="weights",
    clip="each",
    norm="root",
    factor="at most one",
    together="mean",
):
    """The `(d_model,)` mean over examples of the gradients of `(x.w - y)**2`, none longer than `limit`."""
    N, d_model, limit = int(N), int(d_model), float(limit)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d_model,), dtype=jnp.float32)

    errors = X @ w - y
    gradients = slope * errors[:, None] * (w if direction == "example" else X)
    average = jnp.sum if together == "sum" else jnp.mean
    if clip == "the mean":
        gradients = average(gradients, axis=0, keepdims=True)

    if clip == "numbers":
        clipped = jnp.clip(gradients, -limit, limit)
    elif clip == "nothing":
        clipped = gradients
    else:
        along = {"columns": 0, "all as one": None}.get(clip, 1)
        lengths = (gradients**2).sum(axis=along, keepdims=True)
        if norm == "root":
            lengths = jnp.sqrt(lengths)
        if factor == "any":
            scales = limit / lengths
        elif factor == "upside down":
            scales = jnp.minimum(1.0, lengths / limit)
        elif factor == "to length one":
            scales = jnp.minimum(1.0, 1 / lengths)
        else:
            scales = jnp.minimum(1.0, limit / lengths)
        clipped = gradients * scales
    return average(clipped, axis=0)


problem = Problem(
    reference=vmap_clipped_gradients,
    axes=("weight",),
    contract="vmap",
    arguments={"N": Whole(), "d_model": Whole(), "limit": Real(above=0.0)},
    cases=[
        (4, 2, 1, 4.0),
        (3, 10, 1, 0.05),
        (0, 3, 2, 2.0),
        (2, 5, 3, 4.0),
        (0, 1, 4, 3.0),
        (0, 12, 5, 6.0),
        (3, 12, 5, 6.0),
        (2, 2, 9, 0.05),
    ],
    pitfalls=[
        Pitfall(
            "clipped-after-mean",
            why="The examples were averaged first, and their mean was clipped: a single example may still pull as hard as "
            "it likes.",
            hint="How many gradients are there at the moment when yours are clipped?",
            clip="the mean",
        ),
        Pitfall(
            "clipped-by-number",
            why="Every number of a gradient was clipped by itself: that turns the gradient into another direction, and can "
            "leave it longer than the limit.",
            hint="Is it a number that must not exceed the limit, or a length?",
            clip="numbers",
            norm="root",  # no length is taken
            factor="at most one",
        ),
        Pitfall(
            "not-clipped",
            why="This is the plain mean of the gradients: the limit makes no difference.",
            hint="What becomes of the clipped gradients in your code, and what is averaged?",
            clip="nothing",
            norm="root",  # no length is taken
            factor="at most one",
        ),
        Pitfall(
            "one-length-for-all",
            why="One length was taken of all gradients together: every example was shortened by the same factor.",
            hint="How many numbers does your norm give, and how many examples are there?",
            clip="all as one",
        ),
        Pitfall(
            "length-over-examples",
            why="Lengths were taken down the columns: a weight has a length here, and an example none.",
            hint="Along which axis lie the numbers of one example's gradient?",
            clip="columns",
        ),
        Pitfall(
            "squared-norm",
            why="The limit was divided by the square of the length: long gradients are shortened too far.",
            hint="What is the length of the vector (3, 4), and what does your code make of it?",
            norm="squared",
        ),
        Pitfall(
            "always-scaled",
            why="Every gradient was brought to the length of the limit: the short ones were made longer.",
            hint="What should happen to a gradient that is shorter than the limit?",
            factor="any",
        ),
        Pitfall(
            "upside-down",
            why="Length and limit have changed places: long gradients are left as they are, and short ones made shorter.",
            hint="For a gradient of twice the limit, which factor do you want, and which do you get?",
            factor="upside down",
        ),
        Pitfall(
            "limit-of-one",
            why="Gradients longer than 1 were brought to the length 1, whatever the limit.",
            hint="How long is a vector that was divided by its length, and how long should it be?",
            factor="to length one",
        ),
        Pitfall(
            "summed",
            why="The gradients were added up and not averaged: more examples make a longer step.",
            hint="By what should the sum over examples be divided?",
            together="sum",
        ),
        Pitfall(
            "half-gradient",
            why="Each gradient is half as long as it should be, before it is clipped: those that are clipped hide it.",
            hint="What is the derivative of a square?",
            slope=1.0,
            factor="at most one",  # lengths that are all the same show no factor
        ),
        Pitfall(
            "wrong-argument",
            why="The loss was differentiated with respect to the example: each gradient points along the weights.",
            hint="With respect to which of its arguments does jax.grad differentiate, and in what order do yours stand?",
            direction="example",
        ),
    ],
)
