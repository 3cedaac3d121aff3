"""Attention of a decoder to a padded encoder (Vaswani et al., 2017, section 3.2.3)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def cross_attention(seed, B, Tq, Tk, d, H):
    keys = jax.random.split(jax.random.key(seed), 8)
    y = jax.random.normal(keys[0], (B, Tq, d), dtype=jnp.float32)
    x = jax.random.normal(keys[1], (B, Tk, d), dtype=jnp.float32)
    y_lengths = jax.random.randint(keys[2], (B,), 1, Tq + 1)
    x_lengths = jax.random.randint(keys[3], (B,), 1, Tk + 1)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[4:])
    d_head = d // H

    def split(rows):
        # The number of rows differs: the decoder has its own, and the encoder too.
        return rows.reshape(B, -1, H, d_head).swapaxes(1, 2)
        #: heads-interleaved: return rows.reshape(B, -1, d_head, H).transpose(0, 3, 1, 2)
        #: heads-interleaved: return rows.reshape(B, -1, d_head, H).transpose(0, 3, 1, 2)
        #: heads-of-other-positions: (B, -1, H, d_head).swapaxes(1, 2) -> (B, H, -1, d_head)
        #: heads-of-other-positions: (B, -1, H, d_head).swapaxes(1, 2) -> (B, H, -1, d_head)

    q, k, v = split(y @ Wq), split(x @ Wk), split(x @ Wv)
    #: padding-zeroed-for-masked:
    #:     only = jnp.where((jnp.arange(Tk) < x_lengths[:, None])[:, :, None], x, 0.0)
    #:     q, k, v = split(y @ Wq), split(only @ Wk), split(only @ Wv)
    #: keys-for-values: split(x @ Wv) -> split(x @ Wk)
    scores = q @ k.mT / d_head**0.5
    #: unscaled-scores: / d_head**0.5 ->
    #: scaled-by-model-width: d_head**0.5 -> d**0.5
    real = jnp.arange(Tk) < x_lengths[:, None]
    #: query-lengths-for-keys: x_lengths -> y_lengths
    #: off-by-one-length: x_lengths[:, None] -> x_lengths[:, None] + 1
    seen = real[:, None, None, :]
    #: causal-mask: real[:, None, None, :] -> real[:, None, None, :] & (jnp.arange(Tk) <= jnp.arange(Tq)[:, None])
    #: padding-zeroed-for-masked: real[:, None, None, :] -> jnp.ones((B, 1, 1, Tk), bool)
    #: not-masked: real[:, None, None, :] -> jnp.ones((B, 1, 1, Tk), bool)
    scores = jnp.where(seen, scores, -jnp.inf)
    #: zero-for-hidden: -jnp.inf -> 0.0
    #: mask-inverted: seen, scores, -jnp.inf -> seen, -1e9, scores
    #: masked-after-softmax: -
    #: softmax-over-queries: -jnp.inf -> -1e9
    #: softmax-over-queries: =
    weights = jax.nn.softmax(scores, axis=-1)
    #: softmax-over-queries: axis=-1 -> axis=-2
    #: softmax-over-queries: weights = jnp.nan_to_num(jax.nn.softmax(scores, axis=1))
    #: masked-after-softmax: weights = jnp.where(seen, jax.nn.softmax(scores, axis=-1), 0.0)
    out = (weights @ v).swapaxes(1, 2).reshape(B, Tq, d) @ Wo
    #: no-output-projection: (B, Tq, d) @ Wo -> (B, Tq, d)
    #: heads-interleaved: .swapaxes(1, 2) -> .transpose(0, 2, 3, 1)
    #: heads-interleaved: =
    #: heads-of-other-positions: .swapaxes(1, 2).reshape -> .reshape
    #: heads-of-other-positions: =
    #: heads-not-moved-back: .swapaxes(1, 2).reshape -> .reshape
    answered = jnp.arange(Tq) < y_lengths[:, None]
    #: key-lengths-for-queries: y_lengths -> x_lengths
    return jnp.where(answered[:, :, None], out, 0.0).reshape(-1)
    #: padding-rows-kept: jnp.where(answered[:, :, None], out, 0.0) -> out


problem = Problem(
    axes=("sequence", "query", "dim"),
    picture=Heatmap("query", "dim"),
    arguments={"B": Whole(), "Tq": Whole(), "Tk": Whole(), "d": Whole(), "H": Whole()},
    legal=[lambda d, H: d % H == 0],
    cases=[
        (0, 2, 3, 4, 4, 2),
        (1, 1, 3, 5, 3, 3),
        (2, 3, 1, 4, 6, 3),
        (3, 3, 4, 1, 3, 3),
        (4, 3, 9, 3, 3, 3),
        (5, 9, 3, 3, 3, 3),
        (6, 2, 4, 9, 9, 3),
        (7, 4, 2, 3, 9, 9),
        (8, 3, 5, 6, 9, 1),
        (9, 3, 3, 2, 6, 3),
        (10, 3, 3, 4, 1, 1),
        (11, 3, 4, 3, 2, 2),
        (12, 3, 3, 4, 2, 1),
    ],
)
