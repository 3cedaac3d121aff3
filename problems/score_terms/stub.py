"""Four terms of a score. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def score_terms(seed, T, d_model):
    """The four terms of the attention scores of tokens with positions added, flattened.

    Args:
        seed: the seed of the contents and of the two matrices.
        T: the number of tokens.
        d_model: the number of dimensions, even.

    Returns:
        The four tables of shape (4, T, T), each a row for a query, as a float32 array of shape (4 * T * T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
