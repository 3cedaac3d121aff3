"""Steps joined in pairs. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def affine_scan(seed, T, d):
    """The states of a linear recurrence, computed without a loop over the steps, flattened.

    Args:
        seed: the seed of the factors, the summands and the start.
        T: the number of steps.
        d: the number of channels.

    Returns:
        The states after each step, of shape (T, d), as a float32 array of shape (T * d,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    a = jax.nn.sigmoid(jax.random.normal(k1, (T, d), dtype=jnp.float32))
    b = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    h0 = jax.random.normal(k3, (d,), dtype=jnp.float32)
    raise NotImplementedError
