"""The scale of the positions. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def position_scale(seed, T, d_model, scale):
    """The entropy of the attention weights of each query, with the positions added `scale` times.

    Args:
        seed: the seed of the contents and of the two matrices.
        T: the number of tokens.
        d_model: the number of dimensions, even.
        scale: the factor of the positions, a float from 0 to 20.

    Returns:
        The entropies in nats, one for each query, as a float32 array of shape (T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
