"""Attention over blocks of keys with a running maximum (Milakov and Gimelshein, 2018; Rabe and Staats, 2021)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Trace, Whole


def chunked_attention(seed, T, d, block, scale):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = scale * jax.random.normal(k1, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d), dtype=jnp.float32)

    blocks = -(-T // block)
    #: last-block-lost: -(-T // block) -> T // block
    #: last-block-lost: -(-T // block) -> max(T // block, 1)
    fill = ((0, blocks * block - T), (0, 0))
    #: last-block-lost: blocks * block - T -> max(blocks * block - T, 0)
    key_blocks = jnp.pad(k, fill).reshape(blocks, block, d)
    #: last-block-lost: jnp.pad(k, fill) -> jnp.pad(k, fill)[: blocks * block]
    #: last-keys-twice:
    #:     space = ((0, max(block - T, 0)), (0, 0))
    #:     cut = jax.vmap(lambda x, n: jax.lax.dynamic_slice_in_dim(jnp.pad(x, space), n * block, block), in_axes=(None, 0))
    #:     key_blocks = cut(k, jnp.arange(blocks))
    value_blocks = jnp.pad(v, fill).reshape(blocks, block, d)
    #: last-block-lost: jnp.pad(v, fill) -> jnp.pad(v, fill)[: blocks * block]
    #: last-keys-twice: value_blocks = cut(v, jnp.arange(blocks))

    def step(carry, inputs):
        top, total, output = carry  # all relative to `top`, the largest score so far
        number, keys, values = inputs
        seen = number * block + jnp.arange(block) < T
        #: last-keys-twice: number * block + jnp.arange(block) -> jnp.arange(block)
        scores = jnp.where(seen, q @ keys.T / d**0.5, -jnp.inf)
        #: padding-seen (not with last-block-lost): jnp.where(seen, q @ keys.T / d**0.5, -jnp.inf) -> q @ keys.T / d**0.5
        #: unscaled: / d**0.5 ->
        new_top = jnp.maximum(top, scores.max(axis=1))
        #: block-maximum-only: jnp.maximum(top, scores.max(axis=1)) -> scores.max(axis=1)
        #: padding-in-maximum (not with padding-seen, block-maximum-only, no-maximum):
        #:     new_top = jnp.maximum(top, (q @ keys.T / d**0.5).max(axis=1))
        #: no-maximum: jnp.maximum(top, scores.max(axis=1)) -> jnp.zeros(T)
        powers = jnp.exp(scores - new_top[:, None])
        # What was summed so far is relative to the old maximum.
        shrink = jnp.exp(top - new_top)
        #: block-maximum-only: shrink = jnp.ones(T)
        total = shrink * total + powers.sum(axis=1)
        #: sum-not-rescaled (not with block-maximum-only, mean-of-blocks, no-maximum): shrink * total -> total
        output = shrink[:, None] * output + powers @ values
        #: accumulator-not-rescaled (not with block-maximum-only, no-maximum): shrink[:, None] * output -> output
        #: mean-of-blocks (not with block-maximum-only, no-maximum):
        #:     output = output + jax.nn.softmax(scores, axis=1) @ values / blocks
        return (new_top, total, output), None

    start = jnp.full(T, -jnp.inf), jnp.zeros(T), jnp.zeros((T, d))
    #: maximum-from-zero (not with block-maximum-only, mean-of-blocks, no-maximum): jnp.full(T, -jnp.inf) -> jnp.zeros(T)
    (_, total, output), _ = jax.lax.scan(step, start, (jnp.arange(blocks), key_blocks, value_blocks))
    return (output / total[:, None]).reshape(-1)
    #: mean-of-blocks: output / total[:, None] -> output


problem = Problem(
    axes=("query", "dim"),
    picture=Heatmap("query", "dim"),
    contract="trace",
    trace=Trace(
        needs=["scan"],
        largest=lambda seed, T, d, block, scale: 4 * max(T, block) * max(d, block),
    ),
    arguments={"T": Whole(), "d": Whole(), "block": Whole(), "scale": Real(above=0.0)},
    cases=[
        (9, 3, 2, 2, 1.0),
        (1, 4, 3, 2, 2.0),
        (2, 1, 3, 1, 1.0),
        (3, 2, 1, 5, 0.5),
        (4, 9, 4, 1, 3.0),
        (5, 5, 9, 9, 0.05),
        (6, 1, 3, 3, 0.5),
        (7, 6, 1, 2, 1.0),
        (8, 128, 4, 8, 1.0),
        (10, 2, 3, 3, 0.5),
        (11, 7, 2, 4, 1.0),
        # No largest score of a row is between 88 and 710, so float32 and float64 overflow alike.
        (109, 5, 3, 2, 1000.0),
        (73, 2, 2, 3, 1000.0),
        (47, 2, 3, 1, 1000.0),  # all scores of a row are far below 0, and no block is padded
    ],
)
