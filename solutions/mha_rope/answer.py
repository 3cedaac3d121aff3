"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2) with the turn of RoPE (Su et al., 2021)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def mha_rope(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H
    # The frequencies are those of one head: every head turns at the same ones.
    omega = 10000.0 ** (-2 * jnp.arange(d_head // 2) / d_head)
    #: half-exponent: -2 -> -1
    #: model-width-exponent: / d_head -> / d_model
    #: rope-before-split: d_head // 2) / d_head -> d_model // 2) / d_model
    #: rope-before-projection: d_head // 2) / d_head -> d_model // 2) / d_model
    angles = jnp.arange(T)[:, None] * omega

    def turned(rows, angles):
        a, b = rows[..., 0::2], rows[..., 1::2]
        #: half-split: a, b = jnp.split(rows, 2, axis=-1)
        pairs = [a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)]
        return jnp.stack(pairs, axis=-1).reshape(rows.shape)
        #: half-split: stack -> concatenate

    def split(rows):
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: =

    q, k, v = x @ Wq, x @ Wk, x @ Wv
    #: rope-before-projection: q, k, v = turned(x, angles) @ Wq, turned(x, angles) @ Wk, x @ Wv
    #: rope-before-projection: q, k, v = turned(x, angles) @ Wq, turned(x, angles) @ Wk, turned(x, angles) @ Wv
    q, k, v = split(q), split(k), split(v)
    #: rope-before-split: -
    # Queries and keys are compared, so they are turned; values are handed on as they are.
    q, k = turned(q, angles), turned(k, angles)
    #: rotates-values: q, k, v = turned(q, angles), turned(k, angles), turned(v, angles)
    #: queries-only: q = turned(q, angles)
    #: keys-only: k = turned(k, angles)
    #: opposite-signs: q, k = turned(q, angles), turned(k, -angles)
    #: opposite-signs: q, k = turned(q, -angles), turned(k, angles)
    #: rotates-backwards: q, k = turned(q, -angles), turned(k, -angles)
    #: not-turned (not with rope-before-split, half-split, half-exponent, model-width-exponent): -
    #: rope-before-projection: -
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    #: sees-the-future: jnp.tril -> jnp.array
    #: rope-before-split: seen = -> q, k, v = split(q), split(k), split(v); seen =
    scores = q @ k.mT / d_head**0.5
    #: scaled-by-model-width: d_head -> d_model
    #: scaled-by-heads (alone): d_head -> H
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    side_by_side = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    #: reshape-without-transpose: side_by_side = (weights @ v).reshape(T, d_model)
    #: reshape-without-transpose: =
    #: reshape-without-transpose: side_by_side = (weights @ v).reshape(T, d_model)
    return (side_by_side @ Wo).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(2), "H": Whole()},
    legal=[lambda d_model, H: d_model % (2 * H) == 0],
    cases=[
        (4, 3, 2, 1),
        (5, 2, 6, 3),
        (4, 1, 18, 9),
        (0, 4, 8, 1),
        (0, 5, 24, 3),
        (2, 40, 24, 2),
        (0, 3, 18, 9),
    ],
)
