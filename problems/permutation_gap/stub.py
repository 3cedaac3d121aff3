"""The gap that order leaves. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def permutation_gap(seed, T, d_model):
    """How far attention to shuffled rows is from shuffled attention: without positions, then with them, flattened.

    Args:
        seed: the seed of the random rows and of the permutation.
        T: the number of rows, one a token.
        d_model: the number of dimensions, even.

    Returns:
        The two gaps, of shape (2, T, d_model), as a float32 array of shape (2 * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    perm = jax.random.permutation(k2, T)
    raise NotImplementedError
