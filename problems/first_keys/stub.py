"""Random keys. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def first_keys(seed, N, T):
    """A random walk of N numbers over T steps, flattened.

    The keys: split `key` once, into two. The start, of shape (N,), is drawn from the first by `jax.random.normal`, in
    float32. The noise of step t, counted from 0, is drawn in the same way from the second, with t folded in.

    Args:
        seed: the seed of the start and of the noise.
        N: the number of walkers.
        T: the number of steps.

    Returns:
        The walk of shape (T, N), as a float32 array of shape (T * N,).
    """
    key = jax.random.key(seed)
    raise NotImplementedError
