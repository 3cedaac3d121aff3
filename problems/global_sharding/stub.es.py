"""Arrays cuyo tipo dice dónde están.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def global_sharding(seed, N, d, devices):
    """Un paso de entrenamiento con pesos y filas repartidos entre dispositivos, y las formas de las partes de uno de ellos.

    Args:
        seed: la semilla de las filas, de los objetivos, de los pesos y de la velocidad.
        N: el número de filas, un múltiplo de `devices`.
        d: el número de características, y de objetivos de una fila, un múltiplo de `devices`.
        devices: el número de dispositivos.

    Returns:
        La pérdida, los pesos nuevos fila por fila y cinco formas, como array float32 de forma (1 + d * d + 10,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d), dtype=jnp.float32)
    W = jax.random.normal(k3, (d, d), dtype=jnp.float32)
    U = jax.random.normal(k4, (d, d), dtype=jnp.float32)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))

    def part(array):
        """La forma de lo que un dispositivo contiene de un array: lo dice su tipo."""
        return jax.typeof(array).sharding.shard_shape(array.shape)

    raise NotImplementedError
