"""Posiciones lejanas que se parecen.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def aliasing(seed, T, d_model, base, gap):
    """El desplazamiento con el que más se parecen dos posiciones lejanas, y la distancia entre sus filas.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        T: el número de posiciones.
        d_model: el número de dimensiones, par.
        base: la base de las frecuencias, un número de coma flotante.
        gap: el menor desplazamiento que cuenta, como mínimo 1 y menor que T.

    Returns:
        El desplazamiento y la distancia euclidiana entre las dos filas, como un array float32 de forma (2,).
    """
    raise NotImplementedError
