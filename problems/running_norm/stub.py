"""Normalisation with running statistics. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def running_norm(seed, steps, N, d, momentum):
    """What a batch normalisation of your own gives for the last batch of training, then in evaluation, flattened.

    Write a module `RunningNorm(d, momentum)` with three arrays of shape (d,):

        gain  nnx.Param      ones
        mean  nnx.BatchStat  zeros
        var   nnx.BatchStat  ones

    Call it in training on the batches 0 to steps - 1, one after another. Then evaluate it on batch `steps`.

    Args:
        seed: the seed of the batches.
        steps: the number of batches for training.
        N: the number of rows of a batch.
        d: the width of a row.
        momentum: the share of the running statistics that stays in each call of training.

    Returns:
        The array of shape (2, N, d) as a float32 array of shape (2 * N * d,): the result for batch steps - 1 in training,
        then the result for batch `steps` in evaluation.
    """
    batches = 3 * jax.random.normal(jax.random.key(seed), (steps + 1, N, d), dtype=jnp.float32) + 2
    raise NotImplementedError
