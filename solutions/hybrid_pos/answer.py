"""Sinusoidal positions, corrected by a learned table as far as the table reaches."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def hybrid_pos(seed, T, max_len, d_model):
    table = jax.random.normal(jax.random.key(seed), (max_len, d_model), dtype=jnp.float32)

    p = jnp.arange(T)
    angles = p[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    #: one-based-positions: p[:, None] -> (p[:, None] + 1)
    #: positions-restart: p[:, None] -> (p[:, None] % max_len), or jnp.where(p < max_len, p, p - max_len)[:, None]
    #: positions-frozen: p[:, None] -> jnp.minimum(p, max_len - 1)[:, None]
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    #: stacked-layout: axis=-1 -> axis=-2
    # Either end can be the shorter one. No index leaves the table, so nothing is clamped.
    # survives argument-plus-one: a table of another length raises an error where there is more than one position
    learned = jnp.pad(table[:T], ((0, max(T - max_len, 0)), (0, 0)))  # survives argument-minus-one: for the same reason
    #: clamped-table: learned = table[p]
    #: wrapped-table: learned = table[p % max_len]
    #: nan-beyond-table: learned = jnp.take(table, p, axis=0)
    #: off-by-one-length: learned = jnp.where(p[:, None] <= max_len, table[p], 0.0)
    #: off-by-one-length: learned = jnp.where(p[:, None] < max_len - 1, table[p], 0.0)
    return (encoding + learned).reshape(-1)
    #: learned-only: encoding + learned -> learned
    #: either-or: encoding -> jnp.where(p[:, None] < max_len, 0.0, encoding)
    #: sinusoid-cut-off: encoding -> jnp.where(p[:, None] < max_len, encoding, 0.0)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(reach=300), "max_len": Whole(), "d_model": Whole(2, step=2)},
    cases=[
        (1, 2, 9, 2),
        (0, 300, 2, 2),
        (1, 1, 9, 6),
        (1, 4, 7, 4),
        (0, 3, 3, 6),
        (2, 2, 2, 10),
        (0, 6, 5, 10),
        (3, 300, 1, 6),
    ],
)
