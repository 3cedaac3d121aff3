"""Layer normalisation, as a good learner would write it."""

import jax
import jax.numpy as jnp


def layer_norm(seed, N, d_model):
    key = jax.random.key(seed)
    k1, k2, k3 = jax.random.split(key, 3)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    # survives near-miss: the norm takes a factor of a row away, all but the small constant
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    bias = jax.random.normal(k3, (d_model,), dtype=jnp.float32)

    # keepdims: one number a row, which still lines up with its row.
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normalised = (x - mean) / jnp.sqrt(variance + 1e-5)
    return (gain * normalised + bias).reshape(-1)
