"""Trees. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def first_trees(seed, N, d, H, rate):
    """The parameters of a small network after one step of gradient descent, as one array.

    Args:
        seed: the seed of the points, their targets and the parameters.
        N: the number of points.
        d: the number of columns of x.
        H: the number of hidden units.
        rate: the rate of the step, a float.

    Returns:
        All leaves of the new parameters in the order of `jax.tree.leaves`, as a float32 array of shape (H + d * H + 1 + H,).
    """
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    parameters = {
        "out": {"weight": jax.random.normal(k3, (H,)), "bias": jax.random.normal(k4, ())},
        "hidden": {"weight": jax.random.normal(k5, (d, H)), "bias": jax.random.normal(k6, (H,))},
    }
    raise NotImplementedError
