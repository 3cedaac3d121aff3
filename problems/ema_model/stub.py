"""An average of the weights. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def ema_model(seed, N, d, steps, decay):
    """The predictions of a model whose weights are the moving average of the weights in training.

    Args:
        seed: the seed of the examples x, the targets y and the weights.
        N: the number of examples.
        d: the number of features of an example.
        steps: the number of steps of training.
        decay: the share of the average that stays in each step.

    Returns:
        The predictions for x of the averaged model after the last step, as a float32 array of shape (N,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, 1), dtype=jnp.float32)
    model = nnx.Linear(d, 1, rngs=nnx.Rngs(jax.random.key(seed)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    raise NotImplementedError
