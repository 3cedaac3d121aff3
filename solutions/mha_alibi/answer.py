"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2) with ALiBi (Press et al., 2022, section 3)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def mha_alibi(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H

    def split(rows):
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: =

    def slopes(n):
        return 2.0 ** (-8 * jnp.arange(1, n + 1) / n)
        #: zero-based-slopes: jnp.arange(1, n + 1) -> jnp.arange(n)
        #: eight-heads-only: / n -> / 8

    P = 2 ** (H.bit_length() - 1)
    # Every second slope of the longer list is one of the shorter: the others lie between them.
    m = jnp.concatenate([slopes(P), slopes(2 * P)[0::2][: H - P]])
    #: naive-slopes: m = slopes(H)
    #: eight-heads-only: m = slopes(H)
    #: one-slope-for-all: m = jnp.full(H, slopes(H)[0])
    distance = jnp.arange(T)[:, None] - jnp.arange(T)
    #: sees-the-future: =
    #: sees-the-future: distance = jnp.abs(jnp.arange(T)[:, None] - jnp.arange(T))
    #: sees-the-future: distance = jnp.maximum(jnp.arange(T)[:, None] - jnp.arange(T), 0)
    bias = -m[:, None, None] * distance
    #: positive-bias: -m -> m

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = q @ k.mT / d_head**0.5
    #: bias-before-scale: q @ k.mT -> (q @ k.mT + bias)
    #: scaled-by-model-width: d_head**0.5 -> d_model**0.5
    #: scaled-by-heads (alone): d_head**0.5 -> H**0.5
    # A slope means the same whatever the width of a head: the bias is added to scaled scores.
    scores = scores + bias
    #: bias-before-scale: -
    #: not-biased (not with zero-based-slopes, naive-slopes, eight-heads-only, one-slope-for-all, positive-bias): -
    weights = jax.nn.softmax(jnp.where(distance >= 0, scores, -jnp.inf), axis=-1)
    #: sees-the-future: jnp.where(distance >= 0, scores, -jnp.inf) -> scores
    side_by_side = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    #: reshape-without-transpose: side_by_side = (weights @ v).reshape(T, d_model)
    #: reshape-without-transpose: =
    #: reshape-without-transpose: side_by_side = (weights @ v).reshape(T, d_model)
    return (side_by_side @ Wo).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (0, 3, 1, 1),
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 2, 3, 3),
        (0, 3, 6, 1),
        (1, 9, 2, 2),
        (0, 5, 24, 12),  # with 12 heads, four slopes are no powers of two: bfloat16 does not hold them
    ],
)
