"""A speculative step. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def speculative_step(seed, K, V):
    """How many draft tokens the large model takes over, and the shares of the token after them; runs under `jax.jit`.

    Args:
        seed: the seed of both models, the draft tokens and the numbers that decide; under `jax.jit` it has no value yet.
        K: the number of draft tokens, a whole number.
        V: the number of tokens in the vocabulary, a whole number.

    Returns:
        The number of tokens taken over, then the V shares of the next token, as a float32 array of shape (1 + V,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    q = jax.nn.softmax(2 * jax.random.normal(k1, (K, V), dtype=jnp.float32), axis=-1)  # the draft model
    p = jax.nn.softmax(2 * jax.random.normal(k2, (K + 1, V), dtype=jnp.float32), axis=-1)  # the large model
    draft = jax.random.categorical(k3, jnp.log(q), axis=-1)  # the K tokens that the draft model drew
    u = jax.random.uniform(k4, (K,), dtype=jnp.float32)
    raise NotImplementedError
