"""A gated feed-forward block. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def swiglu_block(seed, T, d_model, d_ff):
    """Token vectors after a feed-forward block with a SwiGLU, with fresh weights, flattened.

    Build the block as an `nnx.Module` of these four layers. All are given the same `rngs`, and they are made in this order,
    since each takes the next key of the stream, the norm too:

        norm  nnx.RMSNorm(d_model, rngs=rngs)
        gate  nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        up    nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        down  nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)

    Args:
        seed: the seed of the token vectors x and of the layers' weights.
        T: the number of positions.
        d_model: the number of dimensions.
        d_ff: the width between the layers.

    Returns:
        The array of shape (T, d_model) as a float32 array of shape (T * d_model,).
    """
    x = 1 + jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
