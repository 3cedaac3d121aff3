"""Top-p filtering (Holtzman et al., 2020, section 3.1) in fixed shapes: what is dropped stays, as a zero."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Tokens, Whole


def jit_safe_nucleus(seed, N, V, p):
    logits = jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)

    shares = jax.nn.softmax(logits, axis=-1)
    #: over-columns:
    #:     logits = logits.T
    #:     shares = jax.nn.softmax(logits, axis=-1)
    order = jnp.argsort(shares, axis=-1, descending=True)
    #: keeps-the-tail: descending=True -> descending=False
    #: unsorted (not with left-sorted, sorted-again): order = jnp.broadcast_to(jnp.arange(shares.shape[1]), shares.shape)
    ranked = jnp.take_along_axis(shares, order, axis=-1)
    # What is ahead of a token decides: the one that crosses p has less than p before it, and comes in.
    ahead = jnp.cumsum(ranked, axis=-1) - ranked
    chosen = ahead < p
    #: stops-short: chosen = jnp.cumsum(ranked, axis=-1) <= p
    #: stops-short: chosen = (jnp.cumsum(ranked, axis=-1) <= p) | (jnp.arange(ranked.shape[1]) == 0)
    #: stops-short/with-guard: chosen = jnp.cumsum(ranked, axis=-1) <= p
    #: one-too-many: chosen = jnp.arange(ranked.shape[1]) <= (ahead < p).sum(axis=-1, keepdims=True)
    #: fraction-of-tokens: chosen = jnp.arange(ranked.shape[1]) < p * ranked.shape[1]
    #: fraction-of-tokens: chosen = jnp.arange(ranked.shape[1]) < jnp.floor(p * ranked.shape[1])
    #: complement-of-p (alone): p -> 1 - p
    #: mask-inverted: < -> >=
    #: mask-inverted/with-guard: < -> >=
    # How many are kept depends on values, so none is cut off: the others stay, as zeros.
    kept = jnp.where(chosen, ranked, 0.0)
    kept = kept / kept.sum(axis=-1, keepdims=True)
    #: stops-short/with-guard: kept = kept / jnp.maximum(kept.sum(axis=-1, keepdims=True), 1e-9)
    #: mask-inverted/with-guard: kept = kept / jnp.maximum(kept.sum(axis=-1, keepdims=True), 1e-9)
    #: not-renormalised: -
    #: softmax-of-shares: kept = jax.nn.softmax(jnp.where(chosen, ranked, -jnp.inf), axis=-1)
    #: softmax-of-shares: kept = jax.nn.softmax(kept, axis=-1)
    #: zeroed-logits:
    #:     kept = jnp.where(chosen, jnp.take_along_axis(logits, order, axis=-1), 0.0)
    #:     kept = jax.nn.softmax(kept, axis=-1)
    # The order of the order is the way back.
    result = jnp.take_along_axis(kept, jnp.argsort(order, axis=-1), axis=-1)
    #: left-sorted: result = kept
    #: sorted-again: jnp.argsort(order, axis=-1) -> order
    return result.reshape(-1)
    #: over-columns: result -> result.T


problem = Problem(
    axes=("row", "token"),
    picture=[Heatmap("row", "token"), Tokens("token")],
    contract="jit",
    arguments={"N": Whole(), "V": Whole(), "p": Real(above=0.0, below=1.0)},
    # Seeds are chosen with care: no sum of shares, in any order that a mistake puts them in, lies near p.
    cases=[
        (5, 2, 1, 0.78),
        (2, 1, 2, 0.7),
        (1, 3, 1, 0.025),
        (0, 1, 3, 0.96),
        (5, 2, 9, 0.025),
        (5, 11, 2, 0.96),
        (34, 4, 7, 0.9),
    ],
)
