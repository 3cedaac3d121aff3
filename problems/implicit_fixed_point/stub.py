"""The derivative of a fixed point. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def implicit_fixed_point(seed, d, theta):
    """The fixed point of x = tanh(W x + theta b); JAX must be able to differentiate it.

    Args:
        seed: the seed of the matrix and of the vector.
        d: how many numbers the fixed point has, a whole number.
        theta: what the vector is multiplied by, from 0.1 to 2. It may be a Python float or an array of JAX's that is being
            differentiated: do not turn it into anything else.

    Returns:
        The fixed point, as a float32 array of shape (d,). The derivative is not returned: the grader takes it.
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    W = jax.random.normal(k1, (d, d), dtype=jnp.float32) / (4 * d**0.5)
    b = jax.random.normal(k2, (d,), dtype=jnp.float32)
    raise NotImplementedError
