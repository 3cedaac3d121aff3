"""Advantages by a scan. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def gae_scan(seed, T, gamma, lam):
    """Generalized advantage estimates for a stretch of T steps, in the order of time.

    Args:
        seed: the seed of the rewards, the values and the ends of episodes.
        T: the number of steps.
        gamma: the discount, a float from 0 to 1.
        lam: the decay of the estimate, a float from 0 to 1.

    Returns:
        One advantage for each step, as a float32 array of shape (T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    rewards = jax.random.normal(k1, (T,), dtype=jnp.float32)
    values = jax.random.normal(k2, (T + 1,), dtype=jnp.float32)
    done = jax.random.bernoulli(k3, 0.2, (T,))
    raise NotImplementedError
