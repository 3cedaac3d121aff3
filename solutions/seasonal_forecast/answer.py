"""A forecast by attention over positions, as a good learner would write it."""

import jax
import jax.numpy as jnp


def seasonal_forecast(seed, T, d_model, horizon, period):
    noise = jax.random.normal(jax.random.key(seed), (T,), dtype=jnp.float32)
    y = jnp.sin(2 * jnp.pi * jnp.arange(T) / period) + 0.1 * noise

    # One table for past and future: positions have no end, which is why the future can be asked for at all.
    angles = jnp.arange(T + horizon)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    table = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T + horizon, d_model)
    keys, queries = table[:T], table[T:]
    return jax.nn.softmax(queries @ keys.T / jnp.sqrt(d_model), axis=-1) @ y
