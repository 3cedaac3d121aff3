"""Root-mean-square normalisation. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def rms_norm(seed, N, d_model):
    """Rows divided by their root mean square, times a gain, flattened.

    Args:
        seed: the seed of the rows and the gain.
        N: the number of rows, one a token.
        d_model: the number of dimensions.

    Returns:
        The normalised rows, of shape (N, d_model), as a float32 array of shape (N * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
