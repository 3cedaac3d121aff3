"""Entropy over what is seen. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def grad_masked_entropy(seed, N, V, temperature):
    """The entropy of each row's softmax over the columns that it sees; JAX must be able to differentiate it.

    Args:
        seed: the seed of the logits and of the lengths.
        N: the number of rows, a whole number.
        V: the number of columns, a whole number.
        temperature: what the logits are divided by, at least 0.5. It may be a Python float or an array of JAX's that is
            being differentiated: do not turn it into anything else.

    Returns:
        The entropies in nats, as a float32 array of shape (N,). The derivative is not returned: the grader takes it.
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    logits = jax.random.normal(k1, (N, V), dtype=jnp.float32)
    lengths = jax.random.randint(k2, (N,), 1, V + 1, dtype=jnp.int32)
    raise NotImplementedError
