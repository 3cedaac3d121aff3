"""Clipped gradients by vmap. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def vmap_clipped_gradients(seed, N, d_model, limit):
    """The mean over examples of their gradients, each clipped to a length; written so that it can be mapped over seeds.

    Args:
        seed: the seed of the examples, the targets and the weights; under `jax.vmap` it stands for many.
        N: the number of examples, a whole number.
        d_model: the number of features, and of weights, a whole number.
        limit: the length that no example's gradient exceeds, a float greater than 0.

    Returns:
        The mean of the clipped gradients, as a float32 array of shape (d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
