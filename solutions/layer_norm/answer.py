"""Layer normalisation (Ba, Kiros and Hinton, 2016, section 3)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def layer_norm(seed, N, d_model):
    key = jax.random.key(seed)
    k1, k2, k3 = jax.random.split(key, 3)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    bias = jax.random.normal(k3, (d_model,), dtype=jnp.float32)

    eps = 1e-5
    #: wrong-eps: 1e-5 -> 1e-6, or 1e-3
    #: wrong-eps (alone): 1e-5 -> 1e-12
    #: missing-eps (not with eps-outside): 1e-5 -> 0.0
    #: in-groups (alone): 1e-5 -> 1e-5; groups = 2, or 1e-5; groups = 4, or 1e-5; groups = 8, or 1e-5; groups = 32
    # keepdims: one number a row, which still lines up with its row.
    mean = x.mean(axis=-1, keepdims=True)
    #: over-batch: axis=-1 -> axis=0
    #: over-everything: axis=-1 -> axis=None
    #: in-groups:
    #:     import math
    #:     x = x.reshape(-1, d_model // math.gcd(d_model, groups))
    #:     mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    #: over-batch: axis=-1 -> axis=0
    #: over-everything: axis=-1 -> axis=None
    #: unbiased-variance: keepdims=True) -> keepdims=True) * x.size / (x.size - mean.size)
    #: root-mean-square: (x - mean) -> x
    spread = jnp.sqrt(variance + eps)
    #: eps-outside: spread = jnp.sqrt(variance) + eps
    #: missing-root: spread = variance + eps
    #: square-for-root (alone): spread = (variance + eps) ** 2
    #: root-twice (alone): spread = jnp.sqrt(jnp.sqrt(variance) + eps)
    normalised = (x - mean) / spread
    #: mean-kept: x - mean -> x
    #: root-mean-square: x - mean -> x
    #: multiplied-by-root (alone): / -> *
    #: in-groups: normalised = ((x - mean) / spread).reshape(N, d_model)
    scaled = gain * normalised
    #: missing-gain: gain * normalised -> normalised
    #: one-plus-gain (alone): gain -> (1 + gain)
    #: gain-and-bias-swapped: gain -> bias
    #: bias-before-gain: gain * normalised -> gain * (normalised + bias)
    return (scaled + bias).reshape(-1)
    #: missing-bias: scaled + bias -> scaled
    #: gain-and-bias-swapped: bias -> gain
    #: bias-before-gain: scaled + bias -> scaled


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole(2)},
    cases=[
        (0, 1, 4),
        (0, 2, 3),
        (1, 3, 2),
        (40, 2, 2),  # the variance of its small row is 1e-11: it tells a constant of 1e-12 from none
        (0, 4, 6),
        (3, 7, 5),
        (1, 20, 32),
    ],
)
