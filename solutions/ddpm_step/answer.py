"""Sampling from a diffusion model (Ho, Jain and Abbeel, 2020, arXiv:2006.11239, algorithm 2; the variance of equation 7)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Trace, Waves, Whole


def ddpm_step(seed, N, d, steps, first, last):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    W = jax.random.normal(k2, (d, d), dtype=jnp.float32) / d**0.5
    noise = jax.random.normal(k3, (steps, N, d), dtype=jnp.float32)

    beta = jnp.linspace(first, last, steps)
    alpha = 1.0 - beta
    bar = jnp.cumprod(alpha)
    #: sum-for-product: bar = 1.0 - jnp.cumsum(beta)
    before = jnp.append(1.0, bar[:-1])
    #: roll-wraps: before = jnp.roll(bar, 1)
    variance = beta * (1.0 - before) / (1.0 - bar)
    #: previous-is-itself: variance = beta.at[0].set(0.0)
    #: noise-at-the-end: variance = beta

    def back(x, inputs):
        t, z = inputs
        guess = jnp.tanh(x @ W + (t + 1) / steps)
        #: time-from-zero: (t + 1) / steps -> t / steps
        less = x - beta[t] / jnp.sqrt(1.0 - bar[t]) * guess
        #: one-step-for-product: 1.0 - bar[t] -> 1.0 - alpha[t]
        #: noise-not-scaled-up: / jnp.sqrt(1.0 - bar[t]) ->
        #: noise-added: x - beta[t] -> x + beta[t]
        mean = less / jnp.sqrt(alpha[t])
        #: product-for-one-step: alpha[t] -> bar[t]
        #: not-scaled-back: / jnp.sqrt(alpha[t]) ->
        x = mean + jnp.sqrt(variance[t]) * z
        #: variance-for-deviation: jnp.sqrt(variance[t]) -> variance[t]
        return x, x

    _, made = jax.lax.scan(back, x, (jnp.arange(steps), noise), reverse=True)
    #: time-runs-forward: , reverse=True ->
    #: same-noise-again: noise -> jnp.broadcast_to(noise[0], noise.shape)
    #: same-noise-again (alone): noise -> jnp.broadcast_to(noise[-1], noise.shape)
    #: noise-in-reading-order: noise -> noise[::-1]
    return made.reshape(-1)
    #: last-time-first: made.reshape -> made[::-1].reshape


problem = Problem(
    axes=("time", "sample", "dim"),
    picture=Waves("time", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="steps"),
    arguments={"N": Whole(), "d": Whole(), "steps": Whole(), "first": Real(0.01, 0.5), "last": Real(0.01, 0.5)},
    legal=[lambda first, last: first <= last],
    cases=[
        (0, 1, 1, 2, 0.1, 0.3),
        (1, 2, 3, 4, 0.02, 0.3),
        (2, 1, 3, 5, 0.02, 0.2),
        (3, 4, 3, 1, 0.2, 0.2),
        (4, 9, 3, 2, 0.02, 0.3),
        (5, 3, 1, 3, 0.05, 0.3),
        (6, 3, 2, 4, 0.05, 0.3),
        (7, 4, 3, 3, 0.5, 0.5),
        (8, 4, 5, 3, 0.01, 0.01),
        (9, 4, 3, 5, 0.01, 0.2),
        (10, 3, 9, 3, 0.02, 0.5),
        (11, 3, 4, 4, 0.05, 0.4),
        (11, 3, 4, 16, 0.05, 0.4),
    ],
)
