"""The relative position bias of T5, as a good learner would write it."""

import jax
import jax.numpy as jnp


def t5_relative_bias(seed, T, H, num_buckets, max_distance):
    table = jax.random.normal(jax.random.key(seed), (num_buckets, H), dtype=jnp.float32)
    half = num_buckets // 2  # the buckets of one side
    max_exact = half // 2  # the first of them, one for each distance

    positions = jnp.arange(T)
    distance = positions[None, :] - positions[:, None]
    n = jnp.abs(distance)
    # The logarithm of small n is never used; the maximum keeps it away from log(0).
    ratio = jnp.log(jnp.maximum(n, max_exact) / max_exact) / jnp.log(max_distance / max_exact)
    far = max_exact + jnp.floor(ratio * (half - max_exact)).astype(jnp.int32)
    bucket = jnp.where(n < max_exact, n, jnp.minimum(far, half - 1))
    bucket = jnp.where(distance > 0, bucket + half, bucket)
    # table[bucket] is (T, T, H); heads come first in the output.
    return table[bucket].transpose(2, 0, 1).reshape(-1)
