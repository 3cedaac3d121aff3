"""Gradients of micro-batches. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def accumulate_gradients(seed, micro, B, T, V, limit):
    """The loss of a large batch, and the weights after one step, from micro-batches one after the other.

    Args:
        seed: the seed of the tokens and of the weights.
        micro: the number of micro-batches.
        B: the number of texts in a micro-batch.
        T: the number of tokens of a text.
        V: the number of words in the vocabulary, of which word 0 is padding.
        limit: the length that the gradient may have, a float.

    Returns:
        The loss before the step, then the new weights, row by row, as a float32 array of shape (1 + V * V,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (micro, B, T), 0, V, dtype=jnp.int32)
    W = jax.random.normal(k2, (V, V), dtype=jnp.float32)
    raise NotImplementedError
