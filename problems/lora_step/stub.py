"""Low-rank adaptation. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def lora_step(seed, N, d_in, d_out, rank, alpha, steps):
    """The two matrices of a low-rank adapter after some steps of training, and what the adapted layer gives.

    Write a module with the base W (nnx.Param), and with A and B (nnx.LoRAParam). B begins with zeros: (rank, d_out).

    Args:
        seed: the seed of the rows x, the targets y, the base W and of A.
        N: the number of rows.
        d_in: the width of a row.
        d_out: the width of the result.
        rank: the inner width of the adapter.
        alpha: the scale of the adapter, before it is divided by the rank.
        steps: the number of steps.

    Returns:
        A, then B, then the layer's result for x, all flattened, as one float32 array of shape
        (d_in * rank + rank * d_out + N * d_out,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d_out), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_in, d_out), dtype=jnp.float32) / d_in**0.5
    A = jax.random.normal(k4, (d_in, rank), dtype=jnp.float32) / d_in**0.5
    optimizer = optax.sgd(0.1)
    raise NotImplementedError
