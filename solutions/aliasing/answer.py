"""Far positions that look alike, as a good learner would write it."""

import jax.numpy as jnp


def aliasing(seed, T, d_model, base, gap):
    frequencies = base ** (-2 * jnp.arange(d_model // 2) / d_model)
    angles = jnp.arange(T)[:, None] * frequencies
    rows = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)

    # The distance of two rows depends on how far apart they are, so those from position 0 are all that there are.
    distances = jnp.linalg.norm(rows - rows[0], axis=1)
    far = jnp.where(jnp.arange(T) >= gap, distances, jnp.inf)
    return jnp.stack([far.argmin().astype(jnp.float32), far.min()])
