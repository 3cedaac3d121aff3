"""Compile once. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def compile_once(seed, N, size, degree):
    """The means of the first powers of numbers that arrive in pieces, and how often JAX has traced, flattened.

    Args:
        seed: the seed of the numbers x.
        N: how many numbers there are.
        size: how many of them arrive at once; the last piece may hold fewer.
        degree: the highest power.

    Returns:
        A row of degree + 1 numbers for each piece: the means of all numbers so far, of their squares, and so on, then
        how often JAX has traced so far. A float32 array of shape (pieces * (degree + 1),).
    """
    x = jax.random.uniform(jax.random.key(seed), (N,), minval=-1.0, maxval=1.0)
    raise NotImplementedError
