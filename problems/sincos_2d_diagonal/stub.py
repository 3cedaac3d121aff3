"""Positions along the diagonals. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def sincos_2d_diagonal(seed, height, width, d_model):
    """The position encoding of the patches of an image along its two diagonals, one row a patch, flattened.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        height: the number of patches from top to bottom.
        width: the number of patches from left to right.
        d_model: the number of dimensions, a multiple of 4.

    Returns:
        The table of shape (height * width, d_model) as a float32 array of shape (height * width * d_model,).
    """
    raise NotImplementedError
