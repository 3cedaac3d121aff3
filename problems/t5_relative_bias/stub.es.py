"""El sesgo de posición relativa de T5.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def t5_relative_bias(seed, T, H, num_buckets, max_distance):
    """El sesgo de cada cabeza, consulta y clave, según la cubeta de su distancia, aplanado.

    Args:
        seed: la semilla de la tabla, que se genera al azar más abajo.
        T: el número de posiciones.
        H: el número de cabezas.
        num_buckets: el número de cubetas de los dos lados juntos, par.
        max_distance: la distancia a partir de la cual todas comparten la última cubeta de su lado.

    Returns:
        Los sesgos de forma (H, T, T), cabezas por consultas por claves, como un array float32 de forma (H * T * T,).
    """
    table = jax.random.normal(jax.random.key(seed), (num_buckets, H), dtype=jnp.float32)
    raise NotImplementedError
