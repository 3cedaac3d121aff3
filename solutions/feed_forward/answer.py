"""The feed-forward layer, as a good learner would write it."""

import jax
import jax.numpy as jnp


def feed_forward(seed, N, d_model, d_ff):
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    W1 = jax.random.normal(k2, (d_model, d_ff), dtype=jnp.float32) / d_model**0.5
    b1 = jax.random.normal(k3, (d_ff,), dtype=jnp.float32)
    W2 = jax.random.normal(k4, (d_ff, d_model), dtype=jnp.float32) / d_ff**0.5
    b2 = jax.random.normal(k5, (d_model,), dtype=jnp.float32)

    # If nothing is said, jax.nn.gelu takes the form with tanh.
    hidden = jax.nn.gelu(x @ W1 + b1, approximate=False)
    return (hidden @ W2 + b2).reshape(-1)
