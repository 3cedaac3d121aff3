"""Streams of keys, train() and eval(). Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def dropout_streams(seed, N, d, rate):
    """What a dropout module of your own gives in two calls while training, then in evaluation, flattened.

    Write a module `Drop(rate, *, rngs)` that keeps `rngs`. While training, each call takes a new key of the stream `dropout`
    and keeps each number of x with the probability 1 - rate. In evaluation it changes nothing and takes no key.

    Args:
        seed: the seed of x and of the streams.
        N: the number of rows of x.
        d: the width of x.
        rate: the probability that a number is dropped, from 0 up to, and without, 1.

    Returns:
        The array of shape (3, N, d) as a float32 array of shape (3 * N * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    raise NotImplementedError
