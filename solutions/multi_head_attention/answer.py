"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def multi_head_attention(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])

    d_head = d_model // H

    def split(rows):
        # The last axis is cut into heads where it stands; only then does the heads' axis move to the front.
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)
        #: heads-interleaved: return rows.reshape(T, d_head, H).transpose(2, 0, 1)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: return rows.reshape(H, T, d_head)
        #: reshape-without-transpose: =
        #: one-head (not with attends-over-heads, merged-interleaved): return rows[None]

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    #: weights-transposed: q, k, v = split(x @ Wq.T), split(x @ Wk.T), split(x @ Wv.T)
    #: weights-transposed (alone): =
    #: weights-transposed (alone): q, k, v = split(x @ Wq.T), split(x @ Wk.T), split(x @ Wv.T)
    #: one-key-head (alone): q, k, v = split(x @ Wq), split(x @ Wk)[:1], split(x @ Wv)[:1]
    scores = q @ k.mT / d_head**0.5
    #: transposed-scores (alone): q @ k.mT -> k @ q.mT
    #: attends-over-heads: q @ k.mT -> q.swapaxes(0, 1) @ k.swapaxes(0, 1).mT
    #: scaled-by-model-width: d_head**0.5 -> d_model**0.5
    #: scaled-by-heads (alone): d_head**0.5 -> H**0.5
    #: scaled-by-width: d_head**0.5 -> d_head, or d_model
    #: unscaled-scores: d_head**0.5 -> 1
    #: one-head: =
    #: one-head: d_head**0.5 -> d_model**0.5
    seen = jnp.tril(jnp.ones((T, T), dtype=bool))
    #: attends-over-heads: (T, T) -> (H, H)
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    #: sees-the-future: jnp.where(seen, scores, -jnp.inf) -> scores
    #: masked-after-softmax: jnp.where(seen, scores, -jnp.inf) -> scores
    #: softmax-over-queries: axis=-1 -> axis=-2
    answers = weights @ v
    #: masked-after-softmax: weights -> jnp.where(seen, weights, 0.0)
    #: attends-over-heads: v -> v.swapaxes(0, 1)
    side_by_side = answers.transpose(1, 0, 2).reshape(T, d_model)
    #: attends-over-heads: answers -> answers.swapaxes(0, 1)
    #: heads-interleaved: transpose(1, 0, 2) -> transpose(1, 2, 0)
    #: heads-interleaved: =
    #: merged-interleaved (not with heads-interleaved, reshape-without-transpose): (1, 0, 2) -> (1, 2, 0)
    #: reshape-without-transpose: .transpose(1, 0, 2).reshape -> .reshape
    #: reshape-without-transpose: =
    #: reshape-without-transpose (not with heads-interleaved, one-head): .transpose(1, 0, 2).reshape -> .reshape
    mixed = side_by_side @ Wo
    #: weights-transposed: Wo -> Wo.T
    #: weights-transposed (alone): Wo -> Wo.T
    #: weights-transposed (alone): =
    return mixed.reshape(-1)
    #: no-output-projection: mixed -> side_by_side
    #: tokens-added (alone): mixed -> (x + mixed)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (4, 3, 1, 1),
        (5, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 9, 2, 2),
        (0, 4, 6, 1),
        (4, 2, 18, 9),
        (0, 5, 12, 4),
    ],
)
