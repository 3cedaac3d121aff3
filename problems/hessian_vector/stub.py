"""A Hessian times a vector. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def hessian_vector(seed, N, d):
    """The Hessian of the logistic loss, at the weights, times a vector.

    Args:
        seed: the seed of the points, the labels, the weights and the vector.
        N: the number of points.
        d: the number of weights.

    Returns:
        The product, as a float32 array of shape (d,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    X = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.bernoulli(k2, 0.5, (N,))
    w = jax.random.normal(k3, (d,), dtype=jnp.float32) / d**0.5
    v = jax.random.normal(k4, (d,), dtype=jnp.float32)
    raise NotImplementedError
