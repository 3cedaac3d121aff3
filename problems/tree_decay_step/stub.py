"""Clipping and decay on a tree. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def tree_decay_step(seed, L, d, limit, decay):
    """The parameters of L layers after one step with clipped gradients, and with decay of the matrices, as one array.

    Args:
        seed: the seed of the parameters and of the gradients.
        L: the number of layers.
        d: the width of each layer.
        limit: the length that the gradient of all parameters together may have, a float.
        decay: the strength of the decay, a float.

    Returns:
        All leaves of the new parameters in the order of `jax.tree.leaves`, as a float32 array of shape (L * (d + d * d),).
    """
    keys = iter(jax.random.split(jax.random.key(seed), 4 * L))

    def layer():
        w = jax.random.normal(next(keys), (d, d), dtype=jnp.float32)
        b = jax.random.normal(next(keys), (d,), dtype=jnp.float32)
        return {"w": w, "b": b}

    params = [layer() for _ in range(L)]
    grads = [layer() for _ in range(L)]
    raise NotImplementedError
