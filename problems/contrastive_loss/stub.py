"""Contrastive loss. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def contrastive_loss(seed, N, d, temperature):
    """TODO: what it returns, in one line.

    Args:
        seed: TODO.
        N: TODO.
        d: TODO.
        temperature: TODO.

    Returns:
        TODO: shape (N, d), flattened, float32.
    """
    raise NotImplementedError
