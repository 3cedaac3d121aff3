"""Token embedding times sqrt(d_model), plus sinusoidal positions, padding blanked (Vaswani et al., 2017, section 3.4)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def embed_tokens(seed, B, T, V, d_model):
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (B, T), 0, V, dtype=jnp.int32)
    table = jax.random.normal(k2, (V, d_model), dtype=jnp.float32) / d_model**0.5

    position = jnp.arange(T)
    #: positions-over-batch: position = jnp.arange(B)[:, None]
    #: positions-run-on: position = jnp.arange(B * T).reshape(B, T)
    #: positions-skip-padding: position = jnp.cumsum(tokens != 0, axis=1) - 1
    #: positions-clamped (alone):
    #:     words = (tokens != 0).sum(axis=1, keepdims=True)
    #:     position = jnp.minimum(jnp.arange(T), jnp.maximum(words - 1, 0))
    #: positions-clamped (alone): jnp.arange(T) -> jnp.arange(T).clip(max=V - 1), or jnp.arange(T).clip(max=d_model - 1)
    #: positions-clamped (alone): (T) -> (T).clip(max=9), or (T).clip(max=15), or (T).clip(max=31)
    angle = position[..., None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    #: one-based-positions: position -> (position + 1)
    encoding = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(*position.shape, d_model)
    #: stacked-layout: axis=-1 -> axis=-2
    #: scaled-positions (not with missing-scale, divided-by-root, scaled-by-width): d_model) -> d_model) * d_model**0.5
    is_padding = (tokens == 0)[:, :, None]
    #: padding-only-at-end (alone): (tokens == 0) -> (jnp.cumsum(tokens[:, ::-1], axis=1)[:, ::-1] == 0)
    #: padding-only-at-end (alone): (tokens == 0) -> (jnp.arange(T) >= (tokens != 0).sum(axis=1, keepdims=True))
    #: padding-only-at-end (alone): (tokens == 0) -> (jnp.cumsum(tokens == 0, axis=1) > 0)
    rows = table[tokens]
    #: positions-in-padding: rows = jnp.where(is_padding, 0.0, table[tokens])
    embedded = rows * d_model**0.5
    #: missing-scale: embedded = rows
    #: scaled-positions: =
    #: scaled-positions: embedded = rows
    #: divided-by-root: rows * -> rows /
    #: scaled-by-width: rows * d_model**0.5 -> rows * d_model
    #: whole-root (alone): d_model**0.5 -> int(d_model**0.5), or round(d_model**0.5)
    # (B, T, d_model) + (T, d_model): every sequence gets the same positions.
    x = embedded + encoding
    #: concatenated-first-half:
    #:     half = d_model // 2
    #:     encoding = jnp.broadcast_to(encoding, embedded.shape)
    #:     x = jnp.concatenate([embedded[..., :half], encoding[..., :half]], axis=-1)
    #: positions-lost: x = embedded
    #: padding-leak: =
    #: padding-leak: encoding -> jnp.where(is_padding, 0.0, encoding)
    # Blank last: a position added after the mask would still be there.
    return jnp.where(is_padding, 0.0, x).reshape(-1)
    #: padding-leak: return x.reshape(-1)
    #: positions-in-padding: return x.reshape(-1)
    #: mask-inverted: 0.0, x -> x, 0.0


problem = Problem(
    axes=("sequence", "position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"B": Whole(), "T": Whole(reach=300), "V": Whole(2), "d_model": Whole(2, step=2)},
    cases=[
        (2, 9, 3, 2, 2),
        (5, 3, 2, 4, 2),
        (0, 1, 4, 3, 4),
        (3, 11, 1, 3, 4),
        (0, 4, 3, 5, 6),
        (3, 5, 2, 30, 32),
        (0, 2, 40, 9, 16),
        (5, 6, 300, 2, 4),
    ],
)
