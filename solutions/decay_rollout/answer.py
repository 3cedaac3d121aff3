"""Learn a decay one step ahead and roll it out, as a good learner would write it."""

import jax
import jax.numpy as jnp


def decay_rollout(seed, T, d_model, dt, steps, horizon):

    def features(y, position):
        angles = position * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
        encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(d_model)
        return jnp.concatenate([jnp.array([1.0, y]), encoding])

    curve = jnp.exp(-dt * jnp.arange(T + 1))
    inputs, targets = curve[:-1], curve[1:]
    rows = jax.vmap(features)(inputs, jnp.arange(T))

    def loss(weights):
        return jnp.mean((rows @ weights - targets) ** 2)

    def descend(weights, _):
        return weights - 0.1 * jax.grad(loss)(weights), None

    weights, _ = jax.lax.scan(descend, jnp.zeros(2 + d_model), length=steps)

    def roll(y, position):
        prediction = features(y, position) @ weights
        return prediction, prediction  # once as the next input, once as a result

    _, predictions = jax.lax.scan(roll, inputs[-1], T - 1 + jnp.arange(horizon))
    return predictions
