"""Un gradiente en varios dispositivos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def data_parallel_grad(seed, N, d, devices):
    """La pérdida media de las filas conservadas de todos los dispositivos, y su gradiente.

    Args:
        seed: la semilla de las filas, los objetivos, los pesos y la elección de las filas.
        N: el número de filas de todos los dispositivos juntos, un múltiplo de `devices`.
        d: el número de características, y de pesos.
        devices: el número de dispositivos.

    Returns:
        La pérdida y luego su gradiente respecto a los pesos, como un array float32 de forma (1 + d,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    keep = jax.random.bernoulli(k4, 0.6, (N,)).at[0].set(True)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    raise NotImplementedError
