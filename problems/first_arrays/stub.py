"""Arrays. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def first_arrays(seed, N, d):
    """Centred columns with weighted rows and a first row of zeros, flattened.

    Args:
        seed: the seed of the table.
        N: the number of rows.
        d: the number of columns.

    Returns:
        The table of shape (N, d), as a float32 array of shape (N * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    raise NotImplementedError
