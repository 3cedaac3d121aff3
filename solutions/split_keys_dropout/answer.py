"""Dropout in a stack of layers, each mask drawn from a key of its own (JAX's pseudo-random numbers, JEP 263)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Whole


def split_keys_dropout(seed, T, d_model, L, rate):
    key = jax.random.key(seed)

    # One split makes all keys: the input takes the first, each layer one of the others, and `key` is not used again.
    keys = jax.random.split(key, L + 1)
    #: chained-splits:
    #:     keys = []
    #:     for _ in range(L + 1):
    #:         key, own = jax.random.split(key)
    #:         keys.append(own)
    #:     keys = jnp.stack(keys)
    #: chained-splits:
    #:     keys = []
    #:     for _ in range(L + 1):
    #:         own, key = jax.random.split(key)
    #:         keys.append(own)
    #:     keys = jnp.stack(keys)
    #: chained-splits:
    #:     own, key = jax.random.split(key)
    #:     keys = [own]
    #:     for _ in range(L):
    #:         key, own = jax.random.split(key)
    #:         keys.append(own)
    #:     keys = jnp.stack(keys)
    #: chained-splits:
    #:     keys = [jax.random.split(key)[0]]
    #:     for _ in range(L):
    #:         key, own = jax.random.split(key)
    #:         keys.append(own)
    #:     keys = jnp.stack(keys)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    #: key-for-everything: keys[0] -> key
    #: parent-key-for-input: keys[0] -> key
    #: input-key-last: keys[0] -> keys[-1]

    def layer(x, layer_key):
        keep = jax.random.bernoulli(layer_key, 1 - rate, (T, d_model))
        #: rate-for-keep: 1 - rate -> rate
        #: mask-of-the-dropped: 1 - rate -> rate
        #: whole-rows-dropped: (T, d_model) -> (T, 1)
        #: same-mask-everywhere: layer_key -> keys[1], or keys[0]
        #: key-for-everything: layer_key -> key
        branch = jnp.tanh(x)
        #: tanh-forgotten: jnp.tanh(x) -> x
        scaled = branch / (1 - rate)
        #: missing-rescale: / (1 - rate) -> / 1
        #: rescaled-by-rate: / (1 - rate) -> / rate
        #: dropped-residual: branch -> (x + branch)
        return x + jnp.where(keep, scaled, 0.0), None
        #: mask-of-the-dropped: keep -> ~keep
        #: mask-inverted: keep -> ~keep
        #: dropped-residual: x + jnp.where -> jnp.where
        #: no-residual: x + jnp.where -> jnp.where

    # The keys are what the scan runs over: each round is handed its own.
    x, _ = jax.lax.scan(layer, x, keys[1:])
    #: input-key-again: keys[1:] -> jnp.concatenate([keys[:1], keys[2:]]), or keys[:-1]
    #: input-key-last: keys[1:] -> keys[:-1]
    #: parent-key-for-input: =
    #: parent-key-for-input: keys[1:] -> keys[:-1]
    return x.reshape(-1)


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    contract="keys",
    arguments={"T": Whole(), "d_model": Whole(), "L": Whole(), "rate": Real(above=0.0, below=1.0)},
    cases=[
        (2, 2, 1, 4, 0.6),
        (1, 3, 1, 1, 0.025),
        (2, 1, 4, 1, 0.25),
        (1, 3, 2, 1, 0.4),
        (4, 1, 11, 5, 0.96),
        (0, 3, 4, 2, 0.4),
        (4, 5, 3, 4, 0.6),
        (4, 2, 10, 9, 0.025),
        (1, 11, 2, 3, 0.96),
    ],
)
