"""Todas las parejas con dos mapeos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def vmap_pairwise(seed, N, M, d, length):
    """El kernel gaussiano de cada uno de N puntos con cada uno de M puntos, aplanado.

    Args:
        seed: la semilla de los dos conjuntos de puntos.
        N: el número de puntos del primer conjunto.
        M: el número de puntos del segundo conjunto.
        d: el número de coordenadas de un punto.
        length: la escala de longitud, un número de coma flotante positivo.

    Returns:
        El kernel de forma (N, M), una fila por cada punto del primer conjunto, como un array float32 de forma (N * M,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (M, d), dtype=jnp.float32)
    raise NotImplementedError
