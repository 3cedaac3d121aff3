"""Root-mean-square normalisation (Zhang and Sennrich, 2019)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def rms_norm(seed, N, d_model):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Every second row is a thousand times smaller.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)

    def mean(values):
        # keepdims: one number a row, which still lines up with its row.
        return values.mean(axis=-1, keepdims=True)
        #: over-batch: axis=-1 -> axis=0
        #: over-everything: axis=-1 -> axis=None

    mean_square = mean(x**2)
    #: subtracts-mean: x**2 -> (x - mean(x)) ** 2
    #: variance-for-mean-square: x**2 -> (x - mean(x)) ** 2
    #: sum-for-mean: = mean -> = x.size / mean(x).size * mean
    eps = 1e-6
    #: wrong-eps: 1e-6 -> 1e-5, or 2.0**-23, or 1e-8
    #: missing-eps (not with eps-outside): 1e-6 -> 0.0
    root = jnp.sqrt(mean_square + eps)
    #: eps-outside: jnp.sqrt(mean_square + eps) -> jnp.sqrt(mean_square) + eps
    #: missing-root: jnp.sqrt(mean_square + eps) -> mean_square + eps
    #: square-for-root (alone): jnp.sqrt(mean_square + eps) -> (mean_square + eps) ** 2
    #: root-twice (alone): jnp.sqrt(mean_square + eps) -> jnp.sqrt(jnp.sqrt(mean_square) + eps)
    normalised = x / root
    #: subtracts-mean: x -> (x - mean(x))
    #: multiplied-by-root (alone): / -> *
    return (gain * normalised).reshape(-1)
    #: missing-gain: gain * normalised -> normalised
    #: one-plus-gain: gain -> (1 + gain)


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole()},
    cases=[
        (1, 3, 1),
        (0, 1, 4),
        (0, 2, 3),
        (1, 3, 2),
        (0, 4, 6),
        (1, 20, 32),
    ],
)
