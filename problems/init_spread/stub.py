"""Weights that keep the spread. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def init_spread(seed, L, d, gain):
    """The standard deviation of the numbers in each layer of a network with random weights.

    The weights of layer l, counted from 0, are drawn by `jax.random.normal` in float32, from `k_w` with l folded in.

    Args:
        seed: the seed of the rows x and of the weights.
        L: the number of layers.
        d: the width of the rows; a layer with an even number l makes them 4 * d wide, and the next one d again.
        gain: the variance of a weight, times the number of inputs of its layer; a float.

    Returns:
        The spread of each layer, before the relu: a float32 array of shape (L,).
    """
    k_x, k_w = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k_x, (16, d), dtype=jnp.float32)
    raise NotImplementedError
