"""Embeddings of diffusion times (Dhariwal and Nichol, 2021, arXiv:2105.05233; after Ho et al., 2020, appendix B)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of


def timestep_embedding(
    seed,
    N,
    d_model,
    max_period,
    scale,
    *,
    divisor="pairs",
    first="cosines",
    layout="halves",
    time="scaled",
    base="given",
    turn=1.0,
    swapped=False,
    spare="last",
):
    """The `(N, d_model)` cosines and sines of `scale` times `N` times from 0 to 1."""
    N, d_model, max_period, scale = int(N), int(d_model), float(max_period), float(scale)
    t = jax.random.uniform(jax.random.key(seed), (N,), dtype=jnp.float32)
    if time == "scaled":
        t = scale * t
    elif time == "whole":
        t = jnp.floor(scale * t)
    elif time == "rounded":
        t = jnp.round(scale * t)

    half = d_model // 2 if spare != "a wave" else (d_model + 1) // 2
    over = {"pairs": half, "one less": max(half - 1, 1), "dims": 2 * half, "half of the size": d_model / 2}[divisor]
    period = max_period if base == "given" else base
    exponent = -jnp.arange(half) / over
    frequencies = (-exponent) ** period if swapped else period**exponent
    angles = turn * t[:, None] * frequencies
    sines, cosines = jnp.sin(angles), jnp.cos(angles)
    pair = (cosines, sines) if first == "cosines" else (sines, cosines)
    rows = jnp.concatenate(pair, axis=1) if layout == "halves" else jnp.stack(pair, axis=2).reshape(N, 2 * half)
    if spare == "a wave":
        rows = rows[:, :d_model]
    elif d_model % 2:
        zeros = jnp.zeros((N, 1))
        rows = jnp.concatenate([zeros, rows] if spare == "first" else [rows, zeros], axis=1)
    return rows.reshape(-1)


problem = Problem(
    reference=timestep_embedding,
    axes=("time", "dim"),
    picture=Heatmap("time", "dim"),
    arguments={"N": Whole(), "d_model": Whole(2), "max_period": Real(least=50.0), "scale": Real(least=0.5)},
    cases=[
        (0, 1, 4, 10000.0, 1000.0),
        (0, 4, 2, 100.0, 2.0),
        (1, 2, 5, 10000.0, 100.0),
        (2, 3, 6, 50.0, 10.0),
        (2, 10, 9, 60.0, 0.5),
        (0, 3, 3, 60.0, 2.0),
    ],
    pitfalls=[
        Pitfall(
            "sines-first",
            why="The sines stand before the cosines: in this convention the cosines come first.",
            hint="Which of the two is 1 at the time 0, and where should these ones stand?",
            first="sines",
        ),
        Pitfall(
            "interleaved",
            why="Cosine and sine of a frequency stand side by side: here all cosines come before all sines.",
            hint="Where does the second cosine stand in a row?",
            layout="interleaved",
        ),
        Pitfall(
            "divided-by-one-less",
            why="The exponents are divided by the number of frequencies less one, so the last frequency is 1 / max_period.",
            hint="What is the last exponent in the formula of this lesson?",
            divisor="one less",
        ),
        Pitfall(
            "divided-by-dims",
            why="The exponents are divided by the number of dimensions: the frequencies fall half as fast as they should.",
            hint="How many frequencies are there, and what is k divided by?",
            divisor="dims",
        ),
        Pitfall(
            "time-not-scaled",
            why="The times from 0 to 1 were used as they are: most waves hardly move on the way.",
            hint="What turns a time between 0 and 1 into a step of the model?",
            time="plain",
        ),
        Pitfall(
            "whole-steps",
            why="The scaled times were made whole numbers: times in between get the same embedding.",
            hint="Is a step of this lesson a whole number?",
            time=any_of("whole", alone=["rounded"]),
        ),
        Pitfall(
            "fixed-base",
            why="The base is always the same number, whatever `max_period` says.",
            hint="Which argument says how long the longest waves are?",
            base=any_of(10000.0, alone=[1000.0]),
        ),
        Pitfall(
            "power-swapped",
            why="Nothing turns: all frequencies are zero or next to it, so the cosines are 1 and the sines 0.",
            hint="In your power, which of the two numbers is the base, and which is the exponent?",
            swapped=any_of(alone=[True]),
        ),
        Pitfall(
            "whole-turns",
            why="The angles are multiplied by 2 pi: the frequencies count turns, and not radians.",
            hint="Does the formula hold a factor before the time, other than `scale`?",
            turn=2 * 3.141592653589793,
        ),
        Pitfall(
            "spare-dimension-first",
            why="With an odd size the spare zero stands before the waves: it belongs at the end of each row.",
            hint="Where does the dimension stand that has no wave?",
            spare="first",
        ),
        Pitfall(
            "divided-by-half-the-size",
            why="The exponents are divided by half of `d_model`: with an odd size that is more than there are frequencies.",
            hint="How many frequencies are there if `d_model` is 5, and what is half of 5?",
            divisor="half of the size",
        ),
        Pitfall(
            "one-wave-too-many",
            why="With an odd size there is one frequency too many: its cosine stays, and its sine is cut off.",
            hint="What stands at the end of a row whose size is odd?",
            spare="a wave",
        ),
    ],
)
