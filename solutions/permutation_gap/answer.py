"""Attention without positions is permutation-equivariant (Vaswani et al., 2017, section 3.5, give the cure)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def permutation_gap(seed, T, d_model):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    perm = jax.random.permutation(k2, T)

    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    #: half-exponent: -2 -> -1
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    #: stacked-layout: stack -> concatenate

    def attend(z):
        scores = z @ z.T / jnp.sqrt(d_model)
        #: missing-scale: z.T / jnp.sqrt(d_model) -> z.T
        #: scaled-by-width: jnp.sqrt(d_model) -> d_model
        return jax.nn.softmax(scores, axis=-1) @ z
        #: softmax-over-queries: axis=-1 -> axis=0

    def gap(shuffled, plain):
        first, then = attend(shuffled), attend(plain)[perm]
        #: inverse-permutation: [perm] -> [jnp.argsort(perm)]
        #: output-not-permuted: attend(plain)[perm] -> attend(plain)
        return first - then
        #: sides-swapped: first - then -> then - first

    shuffled = x[perm]
    #: inverse-permutation:
    #:     perm = jnp.argsort(perm)
    #:     shuffled = x[perm]
    #: inverse-permutation: =
    #: scattered-rows:
    #:     perm = jnp.argsort(perm)
    #:     shuffled = x[perm]
    without = gap(shuffled, x)
    # A shuffled token takes the position of the place where it now stands, so positions are added last.
    with_positions = gap(shuffled + encoding, x + encoding)
    #: positions-permuted-too: shuffled + encoding -> shuffled + encoding[perm]
    #: positions-on-one-side (not with positions-permuted-too): x + encoding -> x
    return jnp.stack([without, with_positions]).reshape(-1)
    #: halves-swapped: without, with_positions -> with_positions, without


problem = Problem(
    axes=("half", "row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"T": Whole(3), "d_model": Whole(2, step=2)},
    cases=[
        (0, 4, 2),
        (3, 3, 4),
        (0, 5, 4),
        (3, 4, 6),
        (0, 7, 10),
        (2, 11, 8),
        (1, 40, 32),
    ],
)
