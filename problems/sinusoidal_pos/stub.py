"""Sinusoidal position encoding. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    """The position encoding of a sequence, one row a position, flattened.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        T: the number of positions, from 0 to T - 1.
        d_model: the number of dimensions, even.

    Returns:
        The table of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    T, d_model = int(T), int(d_model)
    raise NotImplementedError
