"""Positional dropout. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def positional_dropout(seed, B, T, d_model, rate):
    """Tokens plus positions, once as training sees them and once as evaluation does, flattened.

    Args:
        seed: the seed of the token vectors `x` and, by the key `k2`, of the mask.
        B: the number of sequences, a whole number.
        T: the number of tokens of each sequence, a whole number.
        d_model: the number of dimensions, a whole number, even.
        rate: the probability that a number is dropped, between 0 and 1.

    Returns:
        The array of shape (2, B, T, d_model), training first, as a float32 array of shape (2 * B * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    raise NotImplementedError
