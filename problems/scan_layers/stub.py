"""Many layers under one scan. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def scan_layers(seed, L, T, d):
    """Token vectors after L layers, made by one `nnx.vmap` and run by one `nnx.scan`, flattened.

    Write a module `Layer(d, *, rngs)` that holds one `nnx.Linear(d, d, rngs=rngs)` and gives `x + tanh(linear(x))`. Make all
    layers with one call of a function under these two lines, since the weights depend on them:

        @nnx.split_rngs(splits=L)
        @nnx.vmap(in_axes=0, out_axes=0)

    And run them with one call of a function under this line:

        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)

    Args:
        seed: the seed of x and of the weights.
        L: the number of layers.
        T: the number of positions.
        d: the number of dimensions.

    Returns:
        The array of shape (T, d) as a float32 array of shape (T * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
