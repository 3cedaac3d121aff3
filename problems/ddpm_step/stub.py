"""From noise to data, step by step. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def ddpm_step(seed, N, d, steps, first, last):
    """The way of N samples of a diffusion model from noise to data, flattened.

    Args:
        seed: the seed of the start, of the network's weights and of the noise.
        N: the number of samples.
        d: the number of dimensions of a sample.
        steps: the number of steps.
        first: the share of noise at time 0, a float from 0.01 to 0.5.
        last: the share of noise at the last time, a float from 0.01 to 0.5, at least `first`.

    Returns:
        The samples made at each time, of shape (steps, N, d), time 0 first, as a float32 array of shape (steps * N * d,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    W = jax.random.normal(k2, (d, d), dtype=jnp.float32) / d**0.5
    noise = jax.random.normal(k3, (steps, N, d), dtype=jnp.float32)
    raise NotImplementedError
