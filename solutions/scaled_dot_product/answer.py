"""Scaled dot-product attention (Vaswani et al., 2017, section 3.2.1, equation 1)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def scaled_dot_product(seed, T, d_model):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)

    scores = q @ k.T / jnp.sqrt(d_model)
    #: transposed-scores: q @ k.T -> k @ q.T
    #: unscaled-scores: jnp.sqrt(d_model) -> 1
    #: scaled-by-width: jnp.sqrt(d_model) -> d_model
    #: scaled-by-length: jnp.sqrt(d_model) -> jnp.sqrt(T)
    #: multiplied-scores: / jnp.sqrt(d_model) -> * jnp.sqrt(d_model)
    #: scaled-after-softmax: jnp.sqrt(d_model) -> 1
    # A row belongs to a query: its weights, over all keys, add up to 1.
    weights = jax.nn.softmax(scores, axis=-1)
    #: scaled-after-softmax: jax.nn.softmax -> 1 / jnp.sqrt(d_model) * jax.nn.softmax
    #: no-softmax: weights = scores
    #: softmax-over-queries: axis=-1 -> axis=0
    #: softmax-over-everything: axis=-1 -> axis=None
    #: future-hidden: scores -> jnp.where(jnp.tri(T, dtype=bool), scores, -jnp.inf)
    #: sums-of-other-rows (alone):
    #:     powers = jnp.exp(scores)
    #:     weights = powers / powers.sum(axis=1)
    #: sums-of-other-rows (alone):
    #:     powers = jnp.exp(scores - scores.max(axis=1, keepdims=True))
    #:     weights = powers / powers.sum(axis=1)
    #: sums-of-other-rows (alone):
    #:     powers = jnp.exp(scores - scores.max(axis=1))
    #:     weights = powers / powers.sum(axis=1)
    #: maxima-of-other-rows (alone):
    #:     powers = jnp.exp(scores - scores.max(axis=1))
    #:     weights = powers / powers.sum(axis=1, keepdims=True)
    return (weights @ v).reshape(-1)
    #: transposed-weights: weights -> weights.T
    #: keys-for-values: v -> k


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
