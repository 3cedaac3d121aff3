"""Frecuencias para textos más largos (YaRN).

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import math

import jax.numpy as jnp


def yarn_frequencies(seed, d_head, base, factor, original):
    """Las frecuencias rotatorias que da YaRN para textos `factor` veces más largos, y su factor de atención.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        d_head: el número de dimensiones de una cabeza, par, como mínimo 4.
        base: la base de las frecuencias propias del modelo, un número de coma flotante mayor que 1.
        factor: por cuánto se multiplica la longitud de los textos, un número de coma flotante mayor que 1.
        original: el número de tokens de los textos más largos del entrenamiento, un número de coma flotante.

    Returns:
        Una frecuencia por cada pareja de dimensiones y luego el factor de atención, como un array float32 de forma
        (d_head // 2 + 1,).
    """
    raise NotImplementedError
