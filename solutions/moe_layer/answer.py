"""A mixture of experts, as a good learner would write it."""

import jax
import jax.numpy as jnp


def moe_layer(seed, N, d, E, k):
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    router = jax.random.normal(k2, (d, E), dtype=jnp.float32) / d**0.5
    W1 = jax.random.normal(k3, (E, d, 2 * d), dtype=jnp.float32) / d**0.5
    W2 = jax.random.normal(k4, (E, 2 * d, d), dtype=jnp.float32) / (2 * d) ** 0.5

    shares, chosen = jax.lax.top_k(jax.nn.softmax(x @ router, axis=-1), k)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    # Which experts are chosen depends on values, so none is left out: the others weigh nothing.
    weights = jnp.zeros((N, E)).at[jnp.arange(N)[:, None], chosen].set(shares)

    hidden = jax.nn.relu(jnp.einsum("nd,edf->nef", x, W1))
    outputs = jnp.einsum("nef,efd->ned", hidden, W2)
    return jnp.einsum("ne,ned->nd", weights, outputs).reshape(-1)
