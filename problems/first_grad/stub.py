"""Gradients. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def first_grad(seed, N, d):
    """The loss of a linear model on N points, and its gradients with respect to the weights and the bias.

    Args:
        seed: the seed of the points, their targets, the weights and the bias.
        N: the number of points.
        d: the number of weights.

    Returns:
        The loss, the gradient of w and the gradient of b, as a float32 array of shape (d + 2,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    b = jax.random.normal(k4, (), dtype=jnp.float32)
    raise NotImplementedError
