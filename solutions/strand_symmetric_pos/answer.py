"""Positions that read the same from both ends of a strand, as a good learner would write it."""

import jax.numpy as jnp


def strand_symmetric_pos(seed, L, d_model):
    # Measured from the middle, the two ends differ in sign alone, which the cosine does not see.
    from_middle = jnp.arange(L) - (L - 1) / 2
    frequencies = 10000.0 ** (-jnp.arange(d_model) / d_model)
    return jnp.cos(from_middle[:, None] * frequencies).reshape(-1)
