"""Layer normalisation. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def layer_norm(seed, N, d_model):
    """Rows of mean 0 and variance 1 (nearly, where a row is small), times a gain, plus a bias, flattened.

    Args:
        seed: the seed of the rows, the gain and the bias.
        N: the number of rows, one a token.
        d_model: the number of dimensions.

    Returns:
        The normalised rows, of shape (N, d_model), as a float32 array of shape (N * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2, k3 = jax.random.split(key, 3)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    bias = jax.random.normal(k3, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
