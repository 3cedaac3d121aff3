"""A memory that chooses. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def selective_scan(seed, T, d, n):
    """The recurrence of a Mamba layer, computed without a loop over the steps, flattened.

    Args:
        seed: the seed of the inputs and the weights.
        T: the number of steps.
        d: the number of channels.
        n: the number of states of each channel.

    Returns:
        The outputs of shape (T, d), a row for each step, as a float32 array of shape (T * d,).
    """
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    u = jax.random.normal(k1, (T, d), dtype=jnp.float32)
    raw_delta = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    A_log = jax.random.normal(k3, (d, n), dtype=jnp.float32)
    B = jax.random.normal(k4, (T, n), dtype=jnp.float32)
    C = jax.random.normal(k5, (T, n), dtype=jnp.float32)
    D = jax.random.normal(k6, (d,), dtype=jnp.float32)
    raise NotImplementedError
