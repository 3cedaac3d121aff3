"""Dropout on the sum of embedding and position (Vaswani et al., 2017, section 5.4; inverted dropout)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Whole


def positional_dropout(seed, B, T, d_model, rate):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)

    p = jnp.arange(T)[:, None]
    #: one-based-positions: jnp.arange(T) -> jnp.arange(1, T + 1)
    angles = p * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    #: stacked-layout: axis=-1 -> axis=-2
    evaluation = x + encoding
    keep = jax.random.bernoulli(k2, 1 - rate, (B, T, d_model))
    #: rate-for-keep: 1 - rate -> rate
    #: mask-of-the-dropped: 1 - rate -> rate
    #: shared-mask: (B, T, d_model) -> (T, d_model)
    #: whole-vectors-dropped: (B, T, d_model) -> (B, T, 1)
    # The survivors grow, so that the mean of a number over many masks is the number itself.
    survivors = evaluation / (1 - rate)
    #: dropped-before-adding: evaluation -> x
    #: positions-dropped-alone: evaluation -> encoding
    #: missing-rescale (not with rescaled-in-eval): / (1 - rate) -> / 1
    #: rescaled-by-rate: / (1 - rate) -> / rate
    #: rescaled-down: / (1 - rate) -> * (1 - rate)
    #: classical-dropout: / (1 - rate) -> / 1
    training = jnp.where(keep, survivors, 0.0)
    #: mask-of-the-dropped: keep -> ~keep
    #: mask-inverted: keep -> ~keep
    #: dropped-before-adding: 0.0) -> 0.0) + encoding
    #: positions-dropped-alone: 0.0) -> 0.0) + x
    return jnp.stack([training, evaluation]).reshape(-1)
    #: dropout-in-eval: evaluation -> training
    #: rescaled-in-eval: evaluation -> evaluation * (1 - rate)
    #: divided-in-eval (alone): evaluation -> evaluation / (1 - rate)
    #: classical-dropout: evaluation -> evaluation * (1 - rate)
    #: evaluation-first (not with dropout-in-eval): .reshape(-1) -> [::-1].reshape(-1)


problem = Problem(
    axes=("mode", "sequence", "position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"B": Whole(), "T": Whole(), "d_model": Whole(2, step=2), "rate": Real(above=0.0, below=1.0)},
    cases=[
        (2, 1, 2, 2, 0.25),
        (1, 2, 1, 2, 0.1),
        (3, 2, 3, 10, 0.025),
        (1, 3, 9, 2, 0.96),
        (0, 9, 2, 4, 0.96),
        (0, 9, 1, 6, 0.025),
        (1, 3, 5, 6, 0.1),
        (5, 1, 64, 32, 0.8),
    ],
)
