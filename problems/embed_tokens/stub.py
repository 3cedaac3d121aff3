"""Embedding tokens. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def embed_tokens(seed, B, T, V, d_model):
    """Token vectors, scaled, plus their positions; blank where the token is padding; flattened.

    Args:
        seed: the seed of the tokens and of the table.
        B: the number of sequences.
        T: the number of tokens of each sequence.
        V: the number of different tokens; token 0 is padding.
        d_model: the number of dimensions, even.

    Returns:
        The array of shape (B, T, d_model) as a float32 array of shape (B * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (B, T), 0, V, dtype=jnp.int32)
    table = jax.random.normal(k2, (V, d_model), dtype=jnp.float32) / d_model**0.5
    raise NotImplementedError
