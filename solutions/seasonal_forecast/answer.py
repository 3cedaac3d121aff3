"""A forecast by attention over positions alone: how near each past moment is decides what it says of the future."""

import jax
import jax.numpy as jnp

from grader import Curve, Problem, Whole


def seasonal_forecast(seed, T, d_model, horizon, period):
    noise = jax.random.normal(jax.random.key(seed), (T,), dtype=jnp.float32)
    y = jnp.sin(2 * jnp.pi * jnp.arange(T) / period) + 0.1 * noise

    def encode(positions):
        angles = positions[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
        #: half-exponent: -2 * jnp -> -jnp
        return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)

    # Positions have no end, which is why the future can be asked for at all.
    keys, queries = encode(jnp.arange(T)), encode(jnp.arange(T, T + horizon))
    #: query-frozen: jnp.arange(T, T + horizon) -> jnp.full(horizon, T - 1), or jnp.full(horizon, T)
    #: off-by-one-horizon: T, T + horizon -> T - 1, T - 1 + horizon, or T + 1, T + 1 + horizon
    #: horizon-from-zero: T, T + horizon -> 1, 1 + horizon, or 0, horizon
    scores = queries @ keys.T / jnp.sqrt(d_model)
    #: missing-scale: scores = queries @ keys.T
    #: scaled-by-width: jnp.sqrt(d_model) -> d_model
    return jax.nn.softmax(scores, axis=-1) @ y
    #: softmax-over-queries: axis=-1 -> axis=0


problem = Problem(
    axes=("forecast",),
    picture=Curve("forecast"),
    arguments={"T": Whole(reach=300), "d_model": Whole(2, step=2), "horizon": Whole(), "period": Whole()},
    cases=[
        (0, 1, 6, 1, 11),
        (5, 300, 12, 1, 2),
        (0, 300, 2, 2, 4),
        (5, 2, 10, 2, 2),
        (0, 2, 2, 4, 3),
        (0, 9, 6, 5, 7),
        (0, 1, 4, 9, 2),
        (1, 3, 6, 9, 1),
        (2, 13, 8, 21, 12),
    ],
)
