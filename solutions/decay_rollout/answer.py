"""Learn a decay one step ahead, then let the model run on its own predictions."""

import jax
import jax.numpy as jnp

from grader import Curve, Problem, Real, Trace, Whole


def decay_rollout(seed, T, d_model, dt, steps, horizon):

    def features(y, place):
        angles = place * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
        #: half-exponent: -2 -> -1
        #: time-in-seconds: place -> dt * place
        encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(d_model)
        return jnp.concatenate([jnp.array([1.0, y]), encoding])
        #: constant-left-out: 1.0 -> 0.0

    curve = jnp.exp(-dt * jnp.arange(T + 1))
    inputs, targets = curve[:-1], curve[1:]
    #: no-shift: curve[1:] -> curve[:-1]
    rows = jax.vmap(features)(inputs, jnp.arange(T))

    def loss(weights):
        return jnp.mean((rows @ weights - targets) ** 2)
        #: summed-loss: return jnp.sum((rows @ weights - targets) ** 2)
        #: half-loss: return jnp.mean((rows @ weights - targets) ** 2) / 2

    def descend(weights, _):
        return weights - 0.1 * jax.grad(loss)(weights), None
        #: gradient-ascent (not with summed-loss, half-loss): weights - 0.1 -> weights + 0.1

    weights, _ = jax.lax.scan(descend, jnp.zeros(2 + d_model), length=steps)
    #: one-step-short: length=steps -> length=steps - 1
    start = T - 1
    #: starts-one-late: T - 1 -> T

    def roll(y, n):
        prediction = features(y, start + n) @ weights
        #: time-frozen: start + n -> start
        #: clock-one-ahead: start + n -> start + n + 1
        #: teacher-forced: y -> jnp.exp(-dt * (start + n))
        #: value-frozen: y -> curve[start]
        return prediction, prediction  # once as the next input, once as a result
        #: start-included: return prediction, y

    _, predictions = jax.lax.scan(roll, curve[start], jnp.arange(horizon))
    return predictions


problem = Problem(
    axes=("prediction",),
    picture=Curve("prediction"),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"T": Whole(2), "d_model": Whole(2, step=2), "dt": Real(above=0.0), "steps": Whole(), "horizon": Whole()},
    cases=[
        (0, 2, 2, 0.4, 4, 1),
        (0, 3, 4, 0.05, 3, 1),
        (0, 3, 6, 0.05, 1, 2),
        (0, 3, 12, 0.5, 2, 2),
        (0, 5, 2, 0.4, 60, 2),
        (0, 2, 4, 0.3, 2, 9),
        (0, 4, 6, 1.0, 5, 3),
        (0, 12, 6, 0.05, 5, 4),
        (0, 2, 2, 0.3, 1, 9),
        (0, 2, 2, 0.4, 16, 1),
    ],
)
