"""Causal multi-head attention, decoded token by token with a cache (Vaswani et al., 2017; Shazeer, 2019, section 2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Trace, Whole


def kv_cache_decode(seed, T, d_model, H):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    d_head = d_model // H
    slots = jnp.arange(T)

    def split(row):
        return row.reshape(H, d_head)
        #: heads-interleaved: return row.reshape(d_head, H).T

    def step(cache, t_and_row):
        t, row = t_and_row
        query = split(row @ Wq)
        #: query-off-by-one (alone): row -> jnp.where(t > 0, x[t - 1], 0.0), or x[jnp.maximum(t - 1, 0)], or x[t - 1]
        #: query-off-by-one (alone): row -> x[jnp.minimum(t + 1, T - 1)], or x[(t + 1) % T]
        key, value = split(row @ Wk), split(row @ Wv)
        #: keys-for-values: Wv -> Wk
        # Stored first and read afterwards: the newest token sees itself.
        cache_k, cache_v = cache
        cache_k = cache_k.at[t].set(key)
        #: cache-off-by-one: [t] -> [jnp.minimum(t + 1, T - 1)], or [t + 1], or [t - 1]
        #: overwrites-slot-zero: [t] -> [0]
        #: cache-stays-empty (alone): cache_k.at[t].set(key)
        #: sees-the-future (not with keys-for-values): cache_k = jax.vmap(split)(x @ Wk)
        cache_v = cache_v.at[t].set(value)
        #: cache-off-by-one: [t] -> [jnp.minimum(t + 1, T - 1)], or [t + 1], or [t - 1]
        #: overwrites-slot-zero: [t] -> [0]
        #: cache-stays-empty (alone): cache_v.at[t].set(value)
        #: sees-the-future (not with keys-for-values): cache_v = jax.vmap(split)(x @ Wv)
        # A slot that holds nothing yet has the score 0, which would get its share: it has to be hidden.
        filled = slots <= t
        #: sees-the-future: <= t -> < T
        #: unmasked-empty-slots: <= t -> < T, or <= t + 1
        #: blind-to-itself: <= t -> < t
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - max(T // 2, 1))
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - (T + 1) // 2)
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - max(T - 1, 1))
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - 1), or (slots <= t) & (slots > t - 2)
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - 3), or (slots <= t) & (slots > t - 4)
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots > t - 8)
        #: short-cache (alone): slots <= t -> (slots == t) | (slots < jnp.minimum(t, max(T // 2, 1) - 1))
        #: short-cache (alone): slots <= t -> (slots == t) | (slots < jnp.minimum(t, max(T - 1, 1) - 1))
        #: short-cache (alone): slots <= t -> (slots == t) | (slots < jnp.minimum(t, 3))
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots < max(T // 2, 1))
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots < max(T - 1, 1))
        #: short-cache (alone): slots <= t -> (slots <= t) & (slots < 4)
        scores = jnp.einsum("hd,shd->hs", query, cache_k) / d_head**0.5
        #: unscaled-scores: cache_k) / d_head**0.5 -> cache_k)
        #: scaled-by-model-width: d_head**0.5 -> d_model**0.5
        #: scaled-by-heads (alone): d_head**0.5 -> H**0.5
        weights = jax.nn.softmax(jnp.where(filled, scores, -jnp.inf), axis=-1)
        #: blind-to-itself: =
        #: blind-to-itself: -jnp.inf -> -1e9
        answers = jnp.einsum("hs,shd->hd", weights, cache_v)
        #: heads-interleaved: answers = jnp.einsum("hs,shd->hd", weights, cache_v).T
        #: heads-interleaved: =
        return (cache_k, cache_v), answers.reshape(d_model) @ Wo
        #: no-output-projection: (d_model) @ Wo -> (d_model)

    empty = jnp.zeros((T, H, d_head))
    _, rows = jax.lax.scan(step, (empty, empty), (slots, x))
    return rows.reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"], largest=lambda seed, T, d_model, H: max(3 * T * d_model, 4 * d_model**2)),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (0, 3, 1, 1),
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (5, 2, 9, 1),
        (5, 2, 9, 9),
        (0, 4, 6, 3),
        (3, 16, 2, 2),
    ],
)
