"""Sesgo de posición relativa.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def relative_bias(seed, T, max_dist):
    """El sesgo de cada consulta con cada clave, según la distancia entre ellas, una fila por consulta, aplanado.

    Args:
        seed: la semilla de la tabla, que se genera al azar más abajo.
        T: el número de posiciones.
        max_dist: la mayor distancia que se distingue de otras mayores.

    Returns:
        Los sesgos de forma (T, T), consultas por claves, como un array float32 de forma (T * T,).
    """
    table = jax.random.normal(jax.random.key(seed), (2 * max_dist + 1,), dtype=jnp.float32)
    raise NotImplementedError
