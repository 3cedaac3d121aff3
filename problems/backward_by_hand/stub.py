"""Backward by hand. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def backward_by_hand(seed, N, d, H):
    """The loss of a network of two layers, and its four gradients, written out without `jax.grad`.

    Args:
        seed: the seed of the rows x, of their labels and of the parameters.
        N: the number of rows.
        d: the width of a row.
        H: the width of the hidden layer.

    Returns:
        The loss, then the gradients of W1, b1, W2 and b2, each row by row: a float32 array of shape
        (1 + d * H + H + 3 * H + 3,).
    """
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (N, d), dtype=jnp.float32)
    labels = jax.random.randint(keys[1], (N,), 0, 3)
    W1 = jax.random.normal(keys[2], (d, H), dtype=jnp.float32) / d**0.5
    b1 = jax.random.normal(keys[3], (H,), dtype=jnp.float32)
    W2 = jax.random.normal(keys[4], (H, 3), dtype=jnp.float32) / H**0.5
    b2 = jax.random.normal(keys[5], (3,), dtype=jnp.float32)
    raise NotImplementedError
