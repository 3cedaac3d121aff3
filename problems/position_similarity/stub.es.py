"""Similitud de todas las posiciones.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def position_similarity(seed, T, d_model):
    """La similitud coseno de la codificación de cada posición con la de todas las demás, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        T: el número de posiciones, de 0 a T - 1.
        d_model: el número de dimensiones, par.

    Returns:
        La tabla de forma (T, T) como un array float32 de forma (T * T,).
    """
    raise NotImplementedError
