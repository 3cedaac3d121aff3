"""Time steps as waves, as a good learner would write it."""

import jax
import jax.numpy as jnp


def timestep_embedding(seed, N, d_model, max_period, scale):
    time = jax.random.uniform(jax.random.key(seed), (N,), dtype=jnp.float32)

    half = d_model // 2
    frequencies = max_period ** (-jnp.arange(half) / half)
    angles = scale * time[:, None] * frequencies  # (N, half)
    rows = jnp.concatenate([jnp.cos(angles), jnp.sin(angles)], axis=1)
    # An odd size has one dimension more than there are waves.
    return jnp.pad(rows, ((0, 0), (0, d_model % 2))).reshape(-1)
