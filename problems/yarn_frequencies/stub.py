"""Frequencies for longer texts (YaRN). Read README.md beside this file, fill in the function, then: python -m grader"""

import math

import jax.numpy as jnp


def yarn_frequencies(seed, d_head, base, factor, original):
    """The rotary frequencies that YaRN gives a model for texts `factor` times as long, and its attention factor.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        d_head: the number of dimensions of a head, even, at least 4.
        base: the base of the model's own frequencies, a float, larger than 1.
        factor: how many times as long the texts become, a float, larger than 1.
        original: the number of tokens in the longest texts of the training, a float.

    Returns:
        A frequency for each pair of dimensions, then the attention factor, as a float32 array of shape (d_head // 2 + 1,).
    """
    raise NotImplementedError
