"""A transformer block. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def transformer_block(seed, T, d_model, H):
    """Token vectors after one causal pre-norm transformer block with fresh weights, flattened.

    Build the block as an `nnx.Module` of these five layers. All are given the same `rngs`, and they are made in this order,
    since each takes the next keys of the stream, LayerNorms too:

        ln1   nnx.LayerNorm(d_model, rngs=rngs)
        attn  nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
        ln2   nnx.LayerNorm(d_model, rngs=rngs)
        up    nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        down  nnx.Linear(4 * d_model, d_model, rngs=rngs)

    Args:
        seed: the seed of the token vectors x and of the layers' weights.
        T: the number of positions.
        d_model: the number of dimensions, a multiple of H.
        H: the number of heads.

    Returns:
        The array of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
