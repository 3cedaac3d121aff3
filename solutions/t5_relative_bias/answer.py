"""The relative position bias of T5 (Raffel et al., 2020, section 2.1), bidirectional."""

import jax
import jax.numpy as jnp

from grader import Matrix, Problem, Real, Whole


def t5_relative_bias(seed, T, H, num_buckets, max_distance):
    table = jax.random.normal(jax.random.key(seed), (num_buckets, H), dtype=jnp.float32)
    half = num_buckets // 2  # the buckets of one side
    #: causal-buckets: num_buckets // 2 -> num_buckets
    #: defaults-for-given: num_buckets // 2 -> 16, or 16, or 16, or 16, or 16, or 16
    #: defaults-for-given: =
    #: defaults-for-given: =
    max_exact = half // 2  # the first of them, one for each distance

    positions = jnp.arange(T)
    distance = positions[None, :] - positions[:, None]
    #: sign-flipped: distance = positions[:, None] - positions[None, :]
    n = jnp.abs(distance)
    #: causal-buckets: jnp.abs(distance) -> jnp.maximum(-distance, 0)
    # The logarithm of small n is never used; the maximum keeps it away from log(0).
    ratio = jnp.log(jnp.maximum(n, max_exact) / max_exact) / jnp.log(max_distance / max_exact)
    #: log-from-one: ratio = jnp.log(jnp.maximum(n, 1)) / jnp.log(max_distance)
    #: defaults-for-given: max_distance -> 128.0, or 128.0, or 128.0, or 128.0
    #: defaults-for-given: =
    #: defaults-for-given: =
    #: defaults-for-given: max_distance -> 128.0, or 128.0
    steps = ratio * (half - max_exact)
    #: steps-of-both-sides (alone): half -> num_buckets
    #: defaults-for-given (alone):
    #:     steps = (1 + 1e-6) * ratio * (half - max_exact)
    #:     # With T5's numbers some distances fall on a border, and rounding moves all of them to one side.
    #: defaults-for-given (alone): ratio -> (1 - 1e-6) * ratio, or (1 + 1e-6) * ratio, or (1 - 1e-6) * ratio
    #: defaults-for-given (alone): ratio -> (1 + 1e-6) * ratio, or (1 - 1e-6) * ratio
    #: defaults-for-given (alone): ratio -> (1 + 1e-6) * ratio, or (1 - 1e-6) * ratio
    # Both summands are positive, so the cast rounds down.
    bucket = jnp.where(n < max_exact, n, max_exact + steps.astype(jnp.int32))
    #: natural-scale (not with log-from-one): steps.astype -> jnp.round(steps).astype
    #: all-exact (not with log-from-one): bucket = n
    bucket = jnp.minimum(bucket, half - 1)
    #: no-clip: -
    bucket = bucket + half * (distance > 0)
    #: direction-lost (not with sign-flipped, future-masked): -
    #: causal-buckets: -
    #: zero-in-upper-half: > -> >=
    bias = table[bucket]
    #: no-clip: =
    #: no-clip:
    #:     bias = jnp.take(table, bucket, axis=0)
    #:     # Square brackets clamp an index that leaves the table; jnp.take fills with NaN.
    #: defaults-for-given: =
    #: defaults-for-given: =
    #: defaults-for-given: table[bucket] -> jnp.take(table, bucket, axis=0), or jnp.take(table, bucket, axis=0)
    #: defaults-for-given: =
    #: defaults-for-given: =
    #: defaults-for-given: =
    #: defaults-for-given: =
    # The heads are the last axis of the bias, and come first in the output.
    return bias.transpose(2, 0, 1).reshape(-1)
    #: future-masked:
    #:     future = (positions[None, :] > positions[:, None])[:, :, None]
    #:     return jnp.where(future, 0.0, bias).transpose(2, 0, 1).reshape(-1)
    #: future-masked:
    #:     future = (positions[None, :] > positions[:, None])[:, :, None]
    #:     return jnp.where(future, -jnp.inf, bias).transpose(2, 0, 1).reshape(-1)


problem = Problem(
    axes=("head", "query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "H": Whole(), "num_buckets": Whole(4, step=2), "max_distance": Real(above=1.0)},
    legal=[lambda num_buckets, max_distance: max_distance > num_buckets // 4],
    cases=[
        (5, 3, 1, 4, 1.05),
        (0, 1, 9, 10, 66.75),
        (0, 2, 3, 4, 28.5),
        (1, 2, 9, 6, 1.05),
        (0, 6, 1, 8, 6),
        (1, 7, 3, 8, 12),
        (0, 9, 2, 8, 5.5),
        (1, 12, 5, 12, 7.5),
    ],
)
