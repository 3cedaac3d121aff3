"""Cross-attention. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def cross_attention(seed, B, Tq, Tk, d, H):
    """The rows of a decoder attend to the rows of an encoder, in several heads, flattened.

    Args:
        seed: the seed of all rows, of their lengths and of the matrices.
        B: the number of sequences.
        Tq: the number of positions of the decoder, padding included.
        Tk: the number of positions of the encoder, padding included.
        d: the number of dimensions.
        H: the number of heads, which divides d.

    Returns:
        The rows of shape (B, Tq, d), zero where the decoder has padding, as a flat float32 array.
    """
    keys = jax.random.split(jax.random.key(seed), 8)
    y = jax.random.normal(keys[0], (B, Tq, d), dtype=jnp.float32)
    x = jax.random.normal(keys[1], (B, Tk, d), dtype=jnp.float32)
    y_lengths = jax.random.randint(keys[2], (B,), 1, Tq + 1)
    x_lengths = jax.random.randint(keys[3], (B,), 1, Tk + 1)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[4:])
    raise NotImplementedError
