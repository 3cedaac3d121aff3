"""Training in 16 and 32 bits. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def mixed_precision_step(seed, N, d, steps, rate):
    """Linear regression in float16 with weights in float32: the weights and losses of all steps, flattened.

    Args:
        seed: the seed of the examples.
        N: the number of examples in each batch, a whole number.
        d: the number of weights, a whole number.
        steps: the number of steps, one batch each, a whole number.
        rate: the learning rate, a float greater than 0.

    Returns:
        A float32 array of shape ((d + 1) * steps,): a row for each weight, with its value after each step, and then
        a row with the loss of each step.
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    X = jax.random.normal(k1, (steps, N, d), dtype=jnp.float32) / 8192
    y = X @ (1 + jax.random.normal(k2, (d,), dtype=jnp.float32))
    w = jnp.ones(d)
    limit, scale = 5e-8, 2.0**29
    raise NotImplementedError
