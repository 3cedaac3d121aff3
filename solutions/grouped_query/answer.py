"""Causal attention in which groups of query heads share keys and values (Ainslie et al., 2023, section 2.2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def grouped_query(seed, T, d_model, H, G):
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    d_head = d_model // H
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wv = jax.random.normal(k4, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wo = jax.random.normal(k5, (d_model, d_model), dtype=jnp.float32) / d_model**0.5

    # The last axis falls into consecutive slices, one a head: (heads, T, d_head).
    q = (x @ Wq).reshape(T, H, d_head).swapaxes(0, 1)
    #: heads-interleaved (alone): (T, H, d_head).swapaxes(0, 1) -> (T, d_head, H).transpose(2, 0, 1)
    #: heads-interleaved (alone): =
    #: reshape-without-transpose: (T, H, d_head).swapaxes(0, 1) -> (H, T, d_head)
    #: reshape-without-transpose (alone): =
    k, v = ((x @ W).reshape(T, G, d_head).swapaxes(0, 1) for W in (Wk, Wv))
    #: heads-interleaved (alone): (T, G, d_head).swapaxes(0, 1) -> (T, d_head, G).transpose(2, 0, 1)
    #: reshape-without-transpose: (T, G, d_head).swapaxes(0, 1) -> (G, T, d_head)
    # A key head stands there once for each query head of its group, and the heads of a group stand side by side.
    k, v = (jnp.repeat(rows, H // G, axis=0) for rows in (k, v))
    #: tiled: k, v = (jnp.tile(rows, (H // G, 1, 1)) for rows in (k, v))
    #: one-of-two-tiled (alone): k, v = jnp.repeat(k, H // G, axis=0), jnp.tile(v, (H // G, 1, 1))
    #: one-of-two-tiled (alone): k, v = jnp.tile(k, (H // G, 1, 1)), jnp.repeat(v, H // G, axis=0)
    #: repeated-along-positions: axis=0) -> axis=1).reshape(H, T, d_head)
    #: numbers-repeated (alone):
    #:     k, v = (jnp.repeat(x @ W, H // G, axis=1).reshape(T, H, d_head).swapaxes(0, 1) for W in (Wk, Wv))
    #: first-head-for-all: rows, H // G -> rows[:1], H
    #: beyond-the-last-head (alone): jnp.repeat(rows, H // G, axis=0) -> rows[jnp.arange(H)]
    #: group-size-for-groups (alone): jnp.repeat(rows, H // G, axis=0) -> rows[jnp.arange(H) // G]
    scores = q @ k.swapaxes(1, 2) / d_head**0.5
    #: group-mean: q -> jnp.repeat(q.reshape(G, H // G, T, d_head).mean(axis=1), H // G, axis=0)
    #: scaled-by-model-width: d_head -> d_model
    #: scaled-by-model-width (alone): d_head -> (G * d_head)
    #: scaled-by-heads (alone): d_head -> H
    #: scaled-by-width: d_head**0.5 -> d_head
    #: scaled-by-width (alone): d_head**0.5 -> d_model
    #: unscaled-scores: (1, 2) / d_head**0.5 -> (1, 2)
    #: transposed-scores (alone): q @ k.swapaxes(1, 2) -> k @ q.swapaxes(1, 2)
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    #: mask-flipped (alone): tril -> triu
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    #: sees-the-future: jnp.where(seen, scores, -jnp.inf) -> scores
    #: masked-after-softmax (alone): weights = jnp.where(seen, jax.nn.softmax(scores, axis=-1), 0.0)
    #: softmax-over-queries (alone): axis=-1 -> axis=-2
    answers = weights @ v
    return (answers.swapaxes(0, 1).reshape(T, d_model) @ Wo).reshape(-1)
    #: answers-out-of-order (alone): answers -> answers.reshape(G, H // G, T, d_head).swapaxes(0, 1).reshape(H, T, d_head)
    #: answers-out-of-order (alone): return (answers.reshape(T, d_model) @ Wo).reshape(-1)
    #: no-output-projection: (T, d_model) @ Wo -> (T, d_model)
    #: tokens-added (alone): Wo -> Wo + x
    #: output-matrix-transposed (alone): Wo -> Wo.T


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole(), "G": Whole()},
    legal=[lambda d_model, H: d_model % H == 0, lambda H, G: H % G == 0],
    cases=[
        (5, 1, 3, 3, 1),
        (3, 1, 3, 3, 3),
        (0, 1, 4, 4, 2),
        (0, 2, 3, 1, 1),
        (2, 9, 2, 2, 2),
        (0, 2, 4, 2, 1),
        (5, 9, 1, 1, 1),
        (2, 2, 24, 12, 12),
        (1, 5, 12, 6, 3),
    ],
)
