"""A shift is a rotation. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def sinusoidal_shift(seed, d_model, delta):
    """The matrix that turns the encoding of any position p into that of position p + delta, flattened.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        d_model: the number of dimensions, even.
        delta: how many positions to shift by; negative shifts back.

    Returns:
        The matrix of shape (d_model, d_model) as a float32 array of shape (d_model * d_model,).
    """
    raise NotImplementedError
