"""Clipped relative position bias, as a good learner would write it."""

import jax
import jax.numpy as jnp


def relative_bias(seed, T, max_dist):
    table = jax.random.normal(jax.random.key(seed), (2 * max_dist + 1,), dtype=jnp.float32)
    positions = jnp.arange(T)
    distance = positions[None, :] - positions[:, None]  # row i, column j: j - i
    # Clip while it is still a distance; only then make it an index, which begins at 0.
    index = jnp.clip(distance, -max_dist, max_dist) + max_dist
    return table[index].reshape(-1)
