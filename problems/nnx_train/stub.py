"""Training a module of Flax. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def nnx_train(seed, N, d_in, d_hidden, steps):
    """The loss before each of `steps` steps of gradient descent with momentum.

    The model is a module with two layers, made in this order, from the same `rngs`:

        first   nnx.Linear(d_in, d_hidden, rngs=rngs)
        second  nnx.Linear(d_hidden, 1, rngs=rngs)

    with a tanh between them. Its result for N rows has the shape (N,).

    Args:
        seed: the seed of the rows x, the targets y, and the weights.
        N: the number of examples.
        d_in: the number of features of an example.
        d_hidden: the width between the layers.
        steps: the number of steps.

    Returns:
        The mean squared error before each step, as a float32 array of shape (steps,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    rule = optax.sgd(0.1, momentum=0.9)
    raise NotImplementedError
