"""What each device holds. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def shard_layout(seed, N, M, a, b):
    """What each device of a mesh holds of an array, for three specs.

    Args:
        seed: the seed of the array.
        N: the number of rows, a multiple of a * b.
        M: the number of columns, a multiple of a and of b.
        a: the size of the axis "x" of the mesh.
        b: the size of the axis "y" of the mesh; a * b is at most 4.

    Returns:
        For each spec, what the devices hold, device after device, as one float32 array of shape
        (2 * N * M + b * N * M,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, M), dtype=jnp.float32)
    mesh = jax.make_mesh((a, b), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    raise NotImplementedError
