"""One step of speculative decoding, as a good learner would write it."""

import jax
import jax.numpy as jnp


def speculative_step(seed, K, V):
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    q = jax.nn.softmax(2 * jax.random.normal(k1, (K, V), dtype=jnp.float32), axis=-1)  # the draft model
    p = jax.nn.softmax(2 * jax.random.normal(k2, (K + 1, V), dtype=jnp.float32), axis=-1)  # the large model
    draft = jax.random.categorical(k3, jnp.log(q), axis=-1)  # the K tokens that the draft model drew
    u = jax.random.uniform(k4, (K,), dtype=jnp.float32)

    places = jnp.arange(K)
    accepted = u < p[places, draft] / q[places, draft]
    # One refusal ends the draft: from there on the product is zero.
    n = jnp.cumprod(accepted.astype(jnp.int32)).sum()
    # After the last draft token there is nothing to subtract: a row of zeros says so, and no case needs an `if`.
    padded = jnp.concatenate([q, jnp.zeros((1, V))])
    rest = jnp.maximum(p[n] - padded[n], 0.0)
    return jnp.concatenate([n[None].astype(jnp.float32), rest / rest.sum()])
