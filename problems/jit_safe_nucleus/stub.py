"""A nucleus under jit. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def jit_safe_nucleus(seed, N, V, p):
    """The most probable tokens of each row, as few as reach `p`, renormalised; written so that it runs under `jax.jit`.

    Args:
        seed: the seed of the logits; under `jax.jit` it has no value yet.
        N: the number of rows, a whole number.
        V: the number of tokens in the vocabulary, a whole number.
        p: the probability to be reached, between 0 and 1; under `jax.jit` it has no value yet.

    Returns:
        The shares of shape (N, V), zero where a token is dropped, as a float32 array of shape (N * V,).
    """
    logits = jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)
    raise NotImplementedError
