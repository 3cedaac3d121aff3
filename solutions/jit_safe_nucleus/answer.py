"""Top-p filtering in fixed shapes, as a good learner would write it."""

import jax
import jax.numpy as jnp


def jit_safe_nucleus(seed, N, V, p):
    logits = jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)

    shares = jax.nn.softmax(logits, axis=-1)
    order = jnp.argsort(shares, axis=-1, descending=True)
    ranked = jnp.take_along_axis(shares, order, axis=-1)
    # What is ahead of a token decides: the one that crosses p has less than p before it, and comes in.
    ahead = jnp.cumsum(ranked, axis=-1) - ranked
    # How many are kept depends on values, so none is cut off: the others stay, as zeros.
    kept = jnp.where(ahead < p, ranked, 0.0)
    kept = kept / kept.sum(axis=-1, keepdims=True)
    # The order of the order is the way back.
    return jnp.take_along_axis(kept, jnp.argsort(order, axis=-1), axis=-1).reshape(-1)
