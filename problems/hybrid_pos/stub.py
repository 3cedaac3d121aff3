"""Hybrid positions. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def hybrid_pos(seed, T, max_len, d_model):
    """Sinusoidal positions plus a learned row for each of the first positions, flattened.

    Args:
        seed: the seed of the table.
        T: the number of positions; it may be more or fewer than max_len.
        max_len: the number of rows of the table.
        d_model: the number of dimensions, even.

    Returns:
        The array of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    table = jax.random.normal(jax.random.key(seed), (max_len, d_model), dtype=jnp.float32)
    raise NotImplementedError
