"""A gradient over several devices. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def data_parallel_grad(seed, N, d, devices):
    """The mean loss over the kept rows of all devices, and its gradient.

    Args:
        seed: the seed of the rows, the targets, the weights and the choice of rows.
        N: the number of rows on all devices together, a multiple of `devices`.
        d: the number of features, and of weights.
        devices: the number of devices.

    Returns:
        The loss, then its gradient with respect to the weights, as a float32 array of shape (1 + d,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    keep = jax.random.bernoulli(k4, 0.6, (N,)).at[0].set(True)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    raise NotImplementedError
