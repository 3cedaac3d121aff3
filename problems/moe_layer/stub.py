"""A mixture of experts. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def moe_layer(seed, N, d, E, k):
    """Each token goes through the `k` experts that have the largest shares; written so that it runs under `jax.jit`.

    Args:
        seed: the seed of the tokens and the weights; under `jax.jit` it has no value yet.
        N: the number of tokens, a whole number.
        d: the number of dimensions, a whole number.
        E: the number of experts, a whole number.
        k: the number of experts for each token, a whole number from 1 to E.

    Returns:
        The rows of shape (N, d) that come out, as a float32 array of shape (N * d,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    router = jax.random.normal(k2, (d, E), dtype=jnp.float32) / d**0.5
    W1 = jax.random.normal(k3, (E, d, 2 * d), dtype=jnp.float32) / d**0.5
    W2 = jax.random.normal(k4, (E, 2 * d, d), dtype=jnp.float32) / (2 * d) ** 0.5
    raise NotImplementedError
