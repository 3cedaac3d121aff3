"""A linear probe for positions. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def position_probe(seed, N, T, d_model, steps):
    """The probabilities that a probe, trained on noisy position encodings, gives to "in the later half".

    Args:
        seed: the seed of the random positions and of the noise.
        N: the number of examples.
        T: the number of positions, from 0 to T - 1.
        d_model: the number of dimensions, even.
        steps: the number of steps of gradient descent.

    Returns:
        One probability for each example, as a float32 array of shape (N,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    positions = jax.random.randint(k1, (N,), 0, T, dtype=jnp.int32)
    noise = 0.1 * jax.random.normal(k2, (N, d_model), dtype=jnp.float32)
    raise NotImplementedError
