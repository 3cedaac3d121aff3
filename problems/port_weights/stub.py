"""Weights from PyTorch. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def port_weights(seed, T, d_model, H):
    """What a layer of attention gives that was trained in PyTorch, computed in Flax, flattened.

    The checkpoint holds the weights of `torch.nn.MultiheadAttention(d_model, H)`, by their names there. Load them into the
    layer of Flax, and apply it causally: no position sees a later one.

    Args:
        seed: the seed of the token vectors x, of the checkpoint, and of the fresh weights.
        T: the number of positions.
        d_model: the number of dimensions, a multiple of H.
        H: the number of heads.

    Returns:
        The array of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    keys = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    checkpoint = {
        "in_proj_weight": jax.random.normal(keys[1], (3 * d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "in_proj_bias": jax.random.normal(keys[2], (3 * d_model,), dtype=jnp.float32),
        "out_proj.weight": jax.random.normal(keys[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "out_proj.bias": jax.random.normal(keys[4], (d_model,), dtype=jnp.float32),
    }
    rngs = nnx.Rngs(jax.random.key(seed))
    attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
    raise NotImplementedError
