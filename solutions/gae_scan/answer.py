"""Generalized advantage estimation (Schulman et al., 2015, arXiv:1506.02438, equations 11 to 16), with ends of episodes."""

import jax
import jax.numpy as jnp

from grader import Curve, Problem, Real, Trace, Whole


def gae_scan(seed, T, gamma, lam):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    rewards = jax.random.normal(k1, (T,), dtype=jnp.float32)
    values = jax.random.normal(k2, (T + 1,), dtype=jnp.float32)
    done = jax.random.bernoulli(k3, 0.2, (T,))

    # 0 where an episode ends: nothing that comes later belongs to it.
    goes_on = 1.0 - done
    #: mask-inverted: 1.0 - -> 1.0 *
    #: done-shifted: done -> jnp.append(done[1:], False), or jnp.append(False, done[:-1])
    #: done-shifted (alone): done -> jnp.append(done[1:], done[-1])
    deltas = rewards + gamma * goes_on * values[1:] - values[:-1]
    #: bootstrap-not-cut: goes_on -> 1.0
    #: value-not-discounted: gamma -> 1.0
    #: last-value-dropped: values[1:] -> jnp.append(values[1:-1], 0.0)
    #: value-not-subtracted: values[:-1] -> 0.0
    #: value-discounted-too (alone): values[:-1] -> gamma * values[:-1]
    #: value-masked-too (alone): values[:-1] -> goes_on * values[:-1]

    def step(later, inputs):
        delta, on = inputs
        advantage = delta + gamma * lam * on * later
        #: one-factor: gamma * lam -> gamma, or lam
        #: trace-not-cut: on -> 1.0
        #: cut-where-it-goes-on: on -> (1.0 - on)
        return advantage, advantage  # carried to the step before, and collected
        #: errors-only: advantage, advantage -> advantage, delta
        #: carry-before-the-step: advantage, advantage -> advantage, later

    _, advantages = jax.lax.scan(step, 0.0, (deltas, goes_on), reverse=True)
    #: forward-scan: reverse=True -> reverse=False
    #: carry-from-last-value: 0.0 -> values[-1]
    #: error-cut-too: (deltas, goes_on) -> (goes_on * deltas, goes_on)
    #: cut-one-step-off (not with trace-not-cut, cut-where-it-goes-on): goes_on -> jnp.append(1.0, goes_on[:-1])
    #: cut-one-step-off (not with trace-not-cut, cut-where-it-goes-on): goes_on -> jnp.append(goes_on[1:], 1.0)
    return advantages
    #: returns-not-advantages (not with errors-only, carry-before-the-step): return -> return values[:-1] +
    #: carry-returned (alone): advantages -> advantages[:1]
    #: time-reversed: advantages -> advantages[::-1]


problem = Problem(
    axes=("step",),
    picture=Curve("step"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="T"),
    arguments={"T": Whole(), "gamma": Real(0.0, 1.0), "lam": Real(0.0, 1.0)},
    cases=[
        (0, 1, 0.9, 0.5),
        (2, 2, 0.5, 0.8),
        (0, 3, 0.0, 0.5),
        (0, 3, 0.9, 0.0),
        (5, 3, 1.0, 0.5),
        (7, 4, 0.9, 0.7),
        (7, 9, 0.9, 1.0),
        (7, 16, 0.9, 0.7),
    ],
)
