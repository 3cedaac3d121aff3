"""Attention with padding (Vaswani et al., 2017, section 3.2.1): padded keys are hidden, padded queries get zeros."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def padded_attention(seed, B, T, d_model):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    q = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (B, T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (B, T, d_model), dtype=jnp.float32)
    lengths = jax.random.randint(k4, (B,), 1, T + 1, dtype=jnp.int32)

    real = jnp.arange(T) < lengths[:, None]
    #: off-by-one-length: lengths[:, None] -> lengths[:, None] + 1, or lengths[:, None] - 1
    #: zeroed-inputs (alone):
    #:     real = jnp.arange(T) < lengths[:, None]
    #:     q, k, v = (jnp.where(real[:, :, None], each, 0.0) for each in (q, k, v))
    # The same positions are hidden as keys and left blank as queries.
    seen, answered = real[:, None, :], real[:, :, None]
    #: mask-flipped: real[:, None, :] -> ~real[:, None, :]
    #: mask-flipped: real[:, None, :] -> ~real[:, None, :]
    #: mask-flipped: seen, answered = ~real[:, None, :], ~real[:, :, None]
    #: future-hidden-too: real[:, None, :] -> real[:, None, :] & jnp.tril(jnp.ones((T, T), bool))
    #: one-length-for-all (alone): real[:, None, :] -> jnp.arange(T) < lengths.max(), or jnp.arange(T) < lengths.min()
    #: one-length-for-all (alone): real[:, None, :] -> jnp.arange(T) < lengths[0], or jnp.arange(T) < lengths[-1]
    #: one-length-for-all (alone): seen, answered = jnp.arange(T) < lengths.max(), jnp.arange(T)[:, None] < lengths.max()
    #: one-length-for-all (alone): seen, answered = jnp.arange(T) < lengths.min(), jnp.arange(T)[:, None] < lengths.min()
    #: one-length-for-all (alone): seen, answered = jnp.arange(T) < lengths[0], jnp.arange(T)[:, None] < lengths[0]
    #: one-length-for-all (alone): seen, answered = jnp.arange(T) < lengths[-1], jnp.arange(T)[:, None] < lengths[-1]
    scores = jnp.einsum("bid,bjd->bij", q, k) / jnp.sqrt(d_model)
    #: unscaled-scores: q, k) / jnp.sqrt(d_model) -> q, k)
    #: scaled-by-width: jnp.sqrt(d_model) -> d_model
    # Every query hides the same keys. Each length is at least 1, so no softmax runs over nothing.
    scores = jnp.where(seen, scores, -jnp.inf)
    #: queries-masked-only: -
    #: not-masked: -
    #: zeroed-keys: -jnp.inf -> 0.0
    #: masked-after-softmax: -
    #: mask-flipped: =
    #: mask-flipped: -jnp.inf -> -1e9
    #: mask-flipped: =
    #: softmax-over-queries: =
    #: softmax-over-queries: -jnp.inf -> -1e9
    #: zeroed-inputs (alone): -
    weights = jax.nn.softmax(scores, axis=-1)
    #: softmax-over-queries: axis=-1 -> axis=1
    out = weights @ v
    #: masked-after-softmax: weights -> jnp.where(seen, weights, 0.0)
    return jnp.where(answered, out, 0.0).reshape(-1)
    #: not-masked: jnp.where(answered, out, 0.0) -> out
    #: padding-rows-kept: jnp.where(answered, out, 0.0) -> out
    #: padding-rows-kept: 0.0 -> v.mean(axis=1, keepdims=True)
    #: padding-rows-nan: 0.0 -> jnp.nan
    #: zeroed-inputs (alone): jnp.where(answered, out, 0.0) -> out
    #: zeroed-inputs (alone): =


problem = Problem(
    axes=("sequence", "query", "dim"),
    picture=Heatmap("query", "dim"),
    arguments={"B": Whole(), "T": Whole(), "d_model": Whole()},
    cases=[
        (3, 3, 1, 1),
        (2, 1, 3, 2),  # lengths 2
        (3, 2, 1, 3),  # 1, 1
        (3, 2, 2, 9),
        (10, 2, 9, 1),  # 6, 9
        (2, 1, 2, 9),
        (0, 9, 2, 2),
        (2, 3, 9, 4),
    ],
)
