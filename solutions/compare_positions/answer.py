"""Three ways to compare two positions, as a good learner would write it."""

import jax.numpy as jnp


def compare_positions(seed, d_model, p, q):
    positions = jnp.array([p, q])[:, None]
    angles = positions * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    # No result depends on the order of the dimensions, so the halves may stay side by side.
    a, b = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
    dot = a @ b
    cosine = dot / (jnp.linalg.norm(a) * jnp.linalg.norm(b))
    distance = jnp.linalg.norm(a - b)
    return jnp.stack([dot, cosine, distance])
