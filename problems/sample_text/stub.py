"""Sample text. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def sample_text(seed, B, V, max_len, temperature):
    """Random texts: the tokens that are drawn after the first tokens, up to the end of each row.

    The keys: round 1 splits `k3` in two, and each later round splits the first half of the round before. The second half
    draws the tokens of all rows in one call of `jax.random.categorical`.

    Args:
        seed: the seed of the table, of the first tokens and of all draws.
        B: the number of rows.
        V: the number of tokens, at least 2.
        max_len: the number of places in a row.
        temperature: what the scores are divided by, a float of at least 0; with 0 the best token is taken.

    Returns:
        The tokens, of shape (B, max_len), as an int32 array of shape (B * max_len,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    table = 2 * jax.random.normal(k1, (V, V), dtype=jnp.float32)
    first = jax.random.randint(k2, (B,), 1, V)
    raise NotImplementedError
