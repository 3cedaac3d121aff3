"""The loss of the next token. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def next_token_loss(seed, B, T, V):
    """The mean cross-entropy of predicting each next token, without padding.

    Args:
        seed: the seed of the logits and of the tokens.
        B: the number of sequences.
        T: the number of tokens of each sequence.
        V: the number of words in the vocabulary, of which word 0 is padding.

    Returns:
        One number, as a float32 array of shape (1,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    logits = jax.random.normal(k1, (B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k2, (B, T), 0, V, dtype=jnp.int32)
    raise NotImplementedError
