"""Scores of rotated queries and keys. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def rope_scores(seed, T, d_head, offset):
    """The attention scores of queries and keys that were turned by their positions, flattened.

    Args:
        seed: the seed of the inputs q and k.
        T: the number of queries, and of keys.
        d_head: the number of dimensions, even.
        offset: the position of the first query and of the first key.

    Returns:
        The scores of shape (T, T), a row for each query, as a float32 array of shape (T * T,).
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key)
    q = jax.random.normal(k1, (T, d_head), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_head), dtype=jnp.float32)
    raise NotImplementedError
