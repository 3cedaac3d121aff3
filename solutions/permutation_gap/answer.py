"""The gap that order leaves in attention, as a good learner would write it."""

import jax
import jax.numpy as jnp


def permutation_gap(seed, T, d_model):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    perm = jax.random.permutation(k2, T)

    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)

    def attend(z):
        return jax.nn.softmax(z @ z.T / jnp.sqrt(d_model), axis=-1) @ z

    without = attend(x[perm]) - attend(x)[perm]
    # A shuffled token takes the position of the place where it now stands, so positions are added last.
    with_positions = attend(x[perm] + encoding) - attend(x + encoding)[perm]
    return jnp.stack([without, with_positions]).reshape(-1)
