"""Entropy over the columns that are seen, with a derivative to trust, as a good learner would write it."""

import jax
import jax.numpy as jnp


def grad_masked_entropy(seed, N, V, temperature):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    logits = jax.random.normal(k1, (N, V), dtype=jnp.float32)
    lengths = jax.random.randint(k2, (N,), 1, V + 1, dtype=jnp.int32)

    seen = jnp.arange(V) < lengths[:, None]
    log_p = jax.nn.log_softmax(jnp.where(seen, logits / temperature, -jnp.inf), axis=-1)
    # Minus infinity has done its work: from here on a hidden column holds a number, so that nothing infinite is
    # multiplied by the zeros that come back through the `where` below.
    log_p = jnp.where(seen, log_p, 0.0)
    return -jnp.where(seen, jnp.exp(log_p) * log_p, 0.0).sum(axis=-1)
