"""Prefill and decode. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def prefill_decode(seed, B, T, steps, d):
    """Causal attention with rotary positions: prompts of different length at once, then token by token with a cache.

    Args:
        seed: the seed of the rows, of the lengths and of the matrices.
        B: the number of sequences.
        T: the number of positions of the prompts, padding included.
        steps: the number of tokens that are decoded after each prompt.
        d: the number of dimensions, which is even.

    Returns:
        For each sequence the answer to its last prompt token, then those to the decoded tokens: rows of shape
        (B, 1 + steps, d), as a flat float32 array.
    """
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (B, T, d), dtype=jnp.float32)
    new = jax.random.normal(keys[1], (B, steps, d), dtype=jnp.float32)
    lengths = jax.random.randint(keys[2], (B,), 1, T + 1)
    Wq, Wk, Wv = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[3:])
    raise NotImplementedError
