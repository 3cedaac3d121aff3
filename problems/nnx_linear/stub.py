"""A first module of Flax. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def nnx_linear(seed, N, d_in, d_hidden, d_out):
    """Two linear layers of your own, with a tanh between them, on fresh weights, flattened.

    Write a module `MyLinear(d_in, d_out, *, rngs)` that draws two parameters from `rngs`, in this order:

        kernel  normal numbers of shape (d_in, d_out), divided by the square root of d_in
        bias    normal numbers of shape (d_out,), times 0.1

    Args:
        seed: the seed of the input x and of the weights.
        N: the number of rows of x.
        d_in: the width of x.
        d_hidden: the width between the two layers.
        d_out: the width of the result.

    Returns:
        The array of shape (N, d_out) as a float32 array of shape (N * d_out,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d_in), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
