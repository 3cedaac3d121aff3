"""Side by side or added, as a good learner would write it."""

import jax
import jax.numpy as jnp


def concat_pos(seed, T, d_model, d_pos):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    tokens = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    positions = jax.random.normal(k2, (T, d_pos), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_model + d_pos, d_model), dtype=jnp.float32) / (d_model + d_pos) ** 0.5

    # The first d_model rows of W see the token only, and the others the position only.
    return (jnp.concatenate([tokens, positions], axis=1) @ W).reshape(-1)
