"""Attention with padding. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def padded_attention(seed, B, T, d_model):
    """Attention within sequences of different lengths, whose padding is neither seen nor answered, flattened.

    Args:
        seed: the seed of the queries, keys and values, and of the lengths.
        B: the number of sequences.
        T: the number of positions of each, padding included.
        d_model: the number of dimensions.

    Returns:
        The outputs of shape (B, T, d_model), zero for padded queries, as a float32 array of shape (B * T * d_model,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    q = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (B, T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (B, T, d_model), dtype=jnp.float32)
    lengths = jax.random.randint(k4, (B,), 1, T + 1, dtype=jnp.int32)
    raise NotImplementedError
