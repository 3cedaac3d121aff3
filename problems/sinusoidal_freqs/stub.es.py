"""Frecuencias de la codificación.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def sinusoidal_freqs(seed, d_model):
    """La frecuencia y la longitud de onda de cada pareja seno/coseno, una fila por cada una, aplanadas.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        d_model: el número de dimensiones, par.

    Returns:
        El array de forma (2, d_model / 2), primero las frecuencias, como un array float32 de forma (d_model,).
    """
    raise NotImplementedError
