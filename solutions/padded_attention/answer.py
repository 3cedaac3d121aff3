"""Attention with padding, as a good learner would write it."""

import jax
import jax.numpy as jnp


def padded_attention(seed, B, T, d_model):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    q = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (B, T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (B, T, d_model), dtype=jnp.float32)
    lengths = jax.random.randint(k4, (B,), 1, T + 1, dtype=jnp.int32)

    real = jnp.arange(T) < lengths[:, None]
    scores = jnp.einsum("bid,bjd->bij", q, k) / d_model**0.5
    # Every query hides the same keys. Each length is at least 1, so no softmax runs over nothing.
    scores = jnp.where(real[:, None, :], scores, -jnp.inf)
    out = jax.nn.softmax(scores, axis=-1) @ v
    return jnp.where(real[:, :, None], out, 0.0).reshape(-1)
