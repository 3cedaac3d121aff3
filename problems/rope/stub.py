"""Rotary position embedding. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def rope(seed, T, H, d_head):
    """Queries or keys of several heads, turned by their positions, flattened.

    Args:
        seed: the seed of the input x.
        T: the number of positions, from 0 to T - 1.
        H: the number of heads.
        d_head: the number of dimensions of one head, even.

    Returns:
        The turned array of shape (T, H, d_head) as a float32 array of shape (T * H * d_head,).
    """
    key = jax.random.key(seed)
    x = jax.random.normal(key, (T, H, d_head), dtype=jnp.float32)
    raise NotImplementedError
