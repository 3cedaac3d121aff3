"""A key for every mask. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def split_keys_dropout(seed, T, d_model, L, rate):
    """Rows that have passed through L layers with dropout, flattened.

    The keys: split `key` once, into L + 1 keys. Draw the input x, of shape (T, d_model), from the first by
    `jax.random.normal`, in float32; draw the mask of layer l = 1 .. L from key number l, counted from 0, by
    `jax.random.bernoulli`, in one call for the whole shape (T, d_model).

    Args:
        seed: the seed of the input and of all masks.
        T: the number of rows, a whole number.
        d_model: the number of dimensions, a whole number.
        L: the number of layers, a whole number.
        rate: the probability that a number is dropped, a float between 0 and 1.

    Returns:
        The rows after the last layer, of shape (T, d_model), as a float32 array of shape (T * d_model,).
    """
    key = jax.random.key(seed)
    raise NotImplementedError
