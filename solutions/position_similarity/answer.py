"""Cosine similarity of every two positions of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Matrix, Problem, Whole


def position_similarity(seed, T, d_model):
    positions = jnp.arange(T)[:, None]
    k = jnp.arange(d_model // 2)
    angles = positions * 10000.0 ** (-2 * k / d_model)
    #: half-exponent: -2 * k -> -k
    #: double-exponent: -2 * k -> -4 * k
    sines = jnp.sin(angles)
    cosines = jnp.cos(angles)
    #: per-dim-exponent (not with half-exponent, double-exponent): angles -> positions * 10000.0 ** (-(2 * k + 1) / d_model)
    #: all-sine: cos -> sin
    #: all-sine/with-guard: cos -> sin
    # The order of the dimensions changes no similarity, so sines and cosines may stay in two halves.
    table = jnp.concatenate([sines, cosines], axis=1)
    #: correlation:
    #:     table = jnp.concatenate([sines, cosines], axis=1)
    #:     table = table - jnp.mean(table, axis=1, keepdims=True)
    # Once every row has length 1, a dot product of two rows is the cosine of their angle.
    rows = table / jnp.linalg.norm(table, axis=1, keepdims=True)
    #: not-normalised: rows = table
    #: all-sine/with-guard: rows = table / jnp.maximum(jnp.linalg.norm(table, axis=1, keepdims=True), 1e-8)
    #: normalised-columns: axis=1 -> axis=0
    #: normalised-columns: rows = table / jnp.maximum(jnp.linalg.norm(table, axis=0, keepdims=True), 1e-8)
    #: squared-norm: rows = table / jnp.sum(table**2, axis=1, keepdims=True)
    #: divided-by-width: -
    similarity = rows @ rows.T
    #: one-norm (not with not-normalised, normalised-columns, squared-norm): similarity = rows @ table.T
    #: divided-by-width: similarity = table @ table.T / d_model
    return similarity.reshape(-1)
    #: cosine-distance: similarity -> (1.0 - similarity)


problem = Problem(
    axes=("position", "with"),
    picture=Matrix("position", "with"),
    arguments={"T": Whole(), "d_model": Whole(2, step=2)},
    cases=[
        (0, 1, 4),
        (0, 2, 4),
        (0, 3, 4),
        (0, 4, 6),
        (0, 5, 2),
        (0, 7, 10),
        (0, 12, 8),
        (0, 50, 64),
    ],
)
