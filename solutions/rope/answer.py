"""Rotary position embedding, as a good learner would write it."""

import jax
import jax.numpy as jnp


def rope(seed, T, H, d_head):
    T, H, d_head = int(T), int(H), int(d_head)
    key = jax.random.key(seed)
    x = jax.random.normal(key, (T, H, d_head), dtype=jnp.float32)

    omega = 10000.0 ** (-2 * jnp.arange(d_head // 2) / d_head)
    # One angle for each position and pair; the axis in the middle is shared by all heads.
    angles = jnp.arange(T)[:, None, None] * omega
    a, b = x[..., 0::2], x[..., 1::2]
    turned = jnp.stack(
        [a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)],
        axis=-1,
    )
    # (T, H, d_head / 2, 2) read row by row: the two members of a pair are side by side again.
    return turned.reshape(-1)
