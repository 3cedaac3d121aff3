"""Merge pairs into tokens. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def bpe_encode(seed, T, V, merges):
    """The tokens of a text, by rules that merge pairs, and their number.

    Args:
        seed: the seed of the text and of the rules.
        T: the number of letters in the text.
        V: the number of different letters.
        merges: the number of rules; rule r makes the token V + r of the pair pairs[r].

    Returns:
        The number of tokens, then the tokens, then -1 up to the end: an int32 array of shape (1 + T,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    text = jax.random.randint(k1, (T,), 0, V)
    earlier = (V + jnp.arange(merges))[:, None]  # how many tokens a rule may name
    pairs = jnp.floor(earlier * jax.random.uniform(k2, (merges, 2), dtype=jnp.float32)).astype(jnp.int32)
    raise NotImplementedError
