"""Grouped-query attention. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def grouped_query(seed, T, d_model, H, G):
    """Causal attention of rows to themselves, where groups of query heads share keys and values, flattened.

    Args:
        seed: the seed of the rows x and of the matrices.
        T: the number of rows, one a token.
        d_model: the number of dimensions.
        H: the number of query heads, which divides d_model.
        G: the number of key heads, which divides H.

    Returns:
        The rows of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    d_head = d_model // H
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wv = jax.random.normal(k4, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wo = jax.random.normal(k5, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    raise NotImplementedError
