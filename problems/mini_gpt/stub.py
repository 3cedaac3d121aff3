"""A small GPT. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def mini_gpt(seed, B, T, V, d_model, H, L):
    """The logits of a small causal language model with fresh weights, flattened.

    Build the model as an `nnx.Module` of these layers. All are given the same `rngs`, and they are made in this order, since
    each takes the next keys of the stream, LayerNorms too:

        embed   nnx.Embed(V, d_model, rngs=rngs)
        blocks  L blocks, each made whole before the next; in each, as in `transformer_block`:
                ln1   nnx.LayerNorm(d_model, rngs=rngs)
                attn  nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
                ln2   nnx.LayerNorm(d_model, rngs=rngs)
                up    nnx.Linear(d_model, 4 * d_model, rngs=rngs)
                down  nnx.Linear(4 * d_model, d_model, rngs=rngs)
        norm    nnx.LayerNorm(d_model, rngs=rngs)

    Args:
        seed: the seed of the tokens and of the layers' weights.
        B: the number of sequences.
        T: the number of tokens of each sequence.
        V: the number of different tokens.
        d_model: the number of dimensions, even, and a multiple of H.
        H: the number of heads.
        L: the number of blocks.

    Returns:
        The logits of shape (B, T, V) as a float32 array of shape (B * T * V,).
    """
    tokens = jax.random.randint(jax.random.key(seed), (B, T), 0, V, dtype=jnp.int32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
