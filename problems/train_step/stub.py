"""A training step with Adam. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax


def train_step(seed, N, d_model, steps):
    """The weights of a linear regression after some steps of Adam, from zero, on the mean squared error.

    Args:
        seed: the seed of the examples and of their targets.
        N: the number of examples.
        d_model: the number of features, and of weights.
        steps: the number of training steps.

    Returns:
        The trained weights, as a float32 array of shape (d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    true_weights = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    y = X @ true_weights + 0.1 * jax.random.normal(k3, (N,), dtype=jnp.float32)
    raise NotImplementedError
