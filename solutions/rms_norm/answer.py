"""Root-mean-square normalisation, as a good learner would write it."""

import jax
import jax.numpy as jnp


def rms_norm(seed, N, d_model):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)

    # keepdims: one number a row, which still lines up with its row.
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    return (gain * x / jnp.sqrt(mean_square + 1e-6)).reshape(-1)
