"""Causal attention (Vaswani et al., 2017, section 3.2.3): a query sees itself and the keys before it."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def causal_attention(seed, T, d_model):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)

    scores = q @ k.T / jnp.sqrt(d_model)
    #: transposed-scores: q @ k.T -> k @ q.T
    #: unscaled-scores: jnp.sqrt(d_model) -> 1
    #: scaled-by-width: jnp.sqrt(d_model) -> d_model
    #: scaled-by-length (alone): jnp.sqrt(d_model) -> jnp.sqrt(T), or T
    #: scaled-after-softmax (alone): jnp.sqrt(d_model) -> 1
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    seen = j <= i
    #: sees-the-future: j <= i -> jnp.ones((T, T), bool)
    #: sees-one-ahead: j <= i -> j <= i + 1
    #: blind-to-itself: <= -> <
    #: mask-flipped: <= -> >=, or >, or >
    #: only-the-first-sees-itself (alone): j <= i -> j < jnp.maximum(i, 1)
    # Hidden before the softmax, so that the future has no share in the sum of a row either.
    scores = jnp.where(seen, scores, -jnp.inf)
    #: blind-to-itself: =
    #: blind-to-itself: -jnp.inf -> -1e9
    #: mask-flipped: =
    #: mask-flipped: =
    #: mask-flipped: -jnp.inf -> -1e9
    #: masked-after-softmax: -
    #: zeroed-scores: -jnp.inf -> 0.0
    #: weak-fill (alone): -jnp.inf -> -1.0, or -5.0, or -10.0, or scores - 1.0, or scores - 5.0, or scores - 10.0
    weights = jax.nn.softmax(scores, axis=-1)
    #: softmax-over-queries: axis=-1 -> axis=0
    #: sums-of-other-rows (alone):
    #:     powers = jnp.exp(scores)
    #:     weights = powers / powers.sum(axis=1)
    #: sums-of-other-rows (alone):
    #:     powers = jnp.exp(scores - scores.max(axis=1, keepdims=True))
    #:     weights = powers / powers.sum(axis=1)
    return (weights @ v).reshape(-1)
    #: masked-after-softmax: weights -> jnp.where(seen, weights, 0.0)
    #: weights-transposed (alone): weights -> weights.T
    #: scaled-after-softmax (alone): weights -> weights / jnp.sqrt(d_model)


problem = Problem(
    axes=("query", "dim"),
    picture=Heatmap("query", "dim"),
    arguments={"T": Whole(), "d_model": Whole()},
    cases=[
        (0, 1, 3),
        (5, 3, 1),
        (1, 3, 2),
        (0, 2, 5),
        (0, 5, 4),
        (1, 24, 16),
    ],
)
