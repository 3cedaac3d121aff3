"""A derivative for rounding. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def straight_through(seed, N, levels, scale):
    """Numbers that are clipped and rounded; JAX must find the derivative of the clip alone.

    Args:
        seed: the seed of the numbers.
        N: how many numbers there are, a whole number.
        levels: the number of steps between 0 and 1, a whole number.
        scale: what the numbers are multiplied by, greater than 0. It may be a Python float or an array of JAX's that is
            being differentiated: do not turn it into anything else.

    Returns:
        The rounded numbers, as a float32 array of shape (N,). The derivative is not returned: the grader takes it.
    """
    z = jax.random.normal(jax.random.key(seed), (N,), dtype=jnp.float32)
    raise NotImplementedError
