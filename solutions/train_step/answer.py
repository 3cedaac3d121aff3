"""Linear regression trained with Adam under `lax.scan`, as a good learner would write it."""

import jax
import jax.numpy as jnp
import optax


def train_step(seed, N, d_model, steps):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    true_weights = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    y = X @ true_weights + 0.1 * jax.random.normal(k3, (N,), dtype=jnp.float32)

    optimizer = optax.adam(0.1, eps=0.1)

    def loss(weights):
        return jnp.mean((X @ weights - y) ** 2)

    def step(carry, _):
        weights, state = carry
        updates, state = optimizer.update(jax.grad(loss)(weights), state)
        # The updates already point downhill: they are added.
        return (optax.apply_updates(weights, updates), state), None

    # What Adam remembers travels with the weights.
    start = jnp.zeros(d_model)
    (weights, _), _ = jax.lax.scan(step, (start, optimizer.init(start)), length=steps)
    return weights
