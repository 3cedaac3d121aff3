"""The entropy of attention by the scale of the positions (as in the scaled positional encoding of Li et al., 2019)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Tokens, Whole


def position_scale(seed, T, d_model, scale):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)

    x = contents + scale * positions
    #: scale-on-contents: contents + scale * positions -> scale * contents + positions
    #: scale-after-softmax: x = contents + positions
    scores = (x @ Wq) @ (x @ Wk).T / jnp.sqrt(d_model)
    #: unscaled-scores: / jnp.sqrt(d_model) ->
    # The logarithm of a weight is a number even where the weight itself rounds to zero.
    log_weights = jax.nn.log_softmax(scores, axis=-1)
    #: softmax-over-queries: axis=-1 -> axis=0
    #: log-of-zero (not with softmax-over-queries, scale-after-softmax):
    #:     log_weights = jnp.log(jax.nn.softmax(scores, axis=-1))
    #: scale-after-softmax: jax.nn.log_softmax(scores, axis=-1) -> jnp.log(scale) + jax.nn.log_softmax(scores, axis=-1)
    terms = jnp.exp(log_weights) * log_weights
    #: base-two: * log_weights -> * log_weights / jnp.log(2.0)
    return -terms.sum(axis=-1)
    #: not-negated (not with base-two): -terms -> terms
    #: averaged: sum -> mean
    #: summed-over-queries: axis=-1 -> axis=0


problem = Problem(
    axes=("query",),
    picture=Tokens("query"),
    arguments={"T": Whole(2), "d_model": Whole(2, step=2), "scale": Real(0.0, 20.0)},
    cases=[
        (0, 2, 4, 2.0),
        (1, 3, 2, 0.7),
        (2, 4, 6, 0.0),
        (3, 5, 6, 0.3),
        (662, 4, 2, 20.0),
        (881, 5, 4, 20.0),
        (5, 12, 16, 1.5),
    ],
)
