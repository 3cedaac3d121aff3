"""Dropout in a stack of layers, a key for each mask, as a good learner would write it."""

import jax
import jax.numpy as jnp


def split_keys_dropout(seed, T, d_model, L, rate):
    key = jax.random.key(seed)

    # One split makes all keys: the input takes the first, each layer one of the others, and `key` is not used again.
    keys = jax.random.split(key, L + 1)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)

    def layer(x, layer_key):
        keep = jax.random.bernoulli(layer_key, 1 - rate, (T, d_model))
        return x + jnp.where(keep, jnp.tanh(x) / (1 - rate), 0.0), None

    # The keys are what the scan runs over: each round is handed its own.
    x, _ = jax.lax.scan(layer, x, keys[1:])
    return x.reshape(-1)
