"""Comparar dos posiciones.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def compare_positions(seed, d_model, p, q):
    """Cuánto se parecen las codificaciones sinusoidales de dos posiciones, medido de tres maneras.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        d_model: el número de dimensiones, par.
        p: la primera posición, contada desde 0.
        q: la segunda posición, distinta de p.

    Returns:
        El producto escalar, la similitud coseno y la distancia euclidiana, como un array float32 de forma (3,).
    """
    raise NotImplementedError
