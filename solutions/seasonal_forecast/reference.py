"""A forecast by attention over positions alone: how near each past moment is decides what it says of the future."""

import jax
import jax.numpy as jnp

from grader import Curve, Pitfall, Problem, Whole, any_of


def seasonal_forecast(
    seed,
    T,
    d_model,
    horizon,
    period,
    *,
    ahead="1 .. horizon",
    scale="root of d",
    over="keys",
    step=2,
):
    """The `(horizon,)` forecast: query PE(T-1+h) over the keys PE(0 .. T-1), with the series as values."""
    T, d_model, horizon, period = int(T), int(d_model), int(horizon), int(period)
    noise = jax.random.normal(jax.random.key(seed), (T,), dtype=jnp.float32)
    y = jnp.sin(2 * jnp.pi * jnp.arange(T) / period) + 0.1 * noise

    def encode(positions):
        angles = positions[:, None] * 10000.0 ** (-step * jnp.arange(d_model // 2) / d_model)
        return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)

    start, stop = {
        "1 .. horizon": (T, T + horizon),
        "0 .. horizon - 1": (T - 1, T - 1 + horizon),
        "2 .. horizon + 1": (T + 1, T + 1 + horizon),
        "1 .. horizon, from zero": (1, 1 + horizon),
        "0 .. horizon - 1, from zero": (0, horizon),
        "last": (T - 1, T),
        "next": (T, T + 1),
    }[ahead]
    future = jnp.arange(start, stop)
    if stop - start != horizon:
        future = jnp.broadcast_to(future, (horizon,))
    scores = encode(future) @ encode(jnp.arange(T)).T
    if scale == "root of d":
        scores = scores / jnp.sqrt(d_model)
    elif scale == "d":
        scores = scores / d_model
    weights = jax.nn.softmax(scores, axis=1 if over == "keys" else 0)
    return (weights @ y).reshape(-1)


problem = Problem(
    reference=seasonal_forecast,
    axes=("forecast",),
    picture=Curve("forecast"),
    arguments={"T": Whole(reach=300), "d_model": Whole(2, step=2), "horizon": Whole(), "period": Whole()},
    cases=[
        (0, 1, 6, 1, 11),
        (5, 300, 12, 1, 2),
        (0, 3, 2, 2, 4),
        (5, 2, 10, 2, 2),
        (0, 2, 2, 4, 3),
        (0, 9, 6, 5, 7),
        (0, 1, 4, 9, 2),
        (1, 3, 6, 9, 1),
        (2, 13, 8, 21, 12),
    ],
    pitfalls=[
        Pitfall(
            "query-frozen",
            why="The forecast is flat: every moment ahead was asked for with one and the same query.",
            hint="What should change in the query from one moment ahead to the next?",
            ahead=any_of("last", "next"),
        ),
        Pitfall(
            "off-by-one-horizon",
            why="Every query stands one place off: the forecast is shifted by one moment.",
            hint="The series ends at the moment T - 1: which is the first moment that it does not hold?",
            ahead=any_of("0 .. horizon - 1", "2 .. horizon + 1"),
        ),
        Pitfall(
            "horizon-from-zero",
            why="The queries stand at the beginning of the series: its first moments are forecast again.",
            hint="From which moment are the moments ahead counted?",
            ahead=any_of("1 .. horizon, from zero", "0 .. horizon - 1, from zero"),
        ),
        Pitfall(
            "missing-scale",
            why="The scores were not scaled down before the softmax: its weights are too sharp.",
            hint="What stands under the products of queries and keys in the formula of attention?",
            scale="none",
        ),
        Pitfall(
            "scaled-by-width",
            why="The scores were divided by the whole width: the softmax's weights are too even.",
            hint="How does the spread of a dot product grow with the number of its terms?",
            scale="d",
        ),
        Pitfall(
            "softmax-over-queries",
            why="The softmax ran over the moments ahead: the weights of one forecast do not add up to 1.",
            hint="Among which moments does one forecast share out its attention?",
            over="queries",
        ),
        Pitfall(
            "half-exponent",
            why="The positions turn with the numbers of 1 / 10000^(i/d): every pair but the first turns too fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            step=1,
        ),
    ],
)
