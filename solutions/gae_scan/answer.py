"""Advantages by a scan, as a good learner would write it."""

import jax
import jax.numpy as jnp


def gae_scan(seed, T, gamma, lam):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    rewards = jax.random.normal(k1, (T,), dtype=jnp.float32)
    values = jax.random.normal(k2, (T + 1,), dtype=jnp.float32)
    done = jax.random.bernoulli(k3, 0.2, (T,))

    # 0 where an episode ends: nothing that comes later belongs to it.
    goes_on = 1.0 - done
    deltas = rewards + gamma * goes_on * values[1:] - values[:-1]

    def step(later, inputs):
        delta, on = inputs
        advantage = delta + gamma * lam * on * later
        return advantage, advantage  # carried to the step before, and collected

    _, advantages = jax.lax.scan(step, 0.0, (deltas, goes_on), reverse=True)
    return advantages
