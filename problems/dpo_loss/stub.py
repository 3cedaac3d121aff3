"""A loss for preferences. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def dpo_loss(seed, B, T, V, beta):
    """The loss of direct preference optimisation for each pair of answers.

    Index 0 of `policy`, `reference` and `tokens` is the answer that people chose, index 1 the one that they rejected.

    Args:
        seed: the seed of the logits, the tokens and the lengths of the prompts.
        B: the number of pairs.
        T: the number of tokens of a sequence, prompt and answer together, at least 2.
        V: the number of tokens in the vocabulary.
        beta: how strongly the loss pulls; a float, or a traced array while the loss is being differentiated.

    Returns:
        One loss for each pair, as a float32 array of shape (B,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    policy = jax.random.normal(k1, (2, B, T, V), dtype=jnp.float32)
    reference = jax.random.normal(k2, (2, B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k3, (2, B, T), 0, V, dtype=jnp.int32)
    prompt = jax.random.randint(k4, (B,), 1, T, dtype=jnp.int32)
    raise NotImplementedError
