"""Codificación posicional sinusoidal.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    """La codificación posicional de una secuencia, una fila por posición, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        T: el número de posiciones, de 0 a T - 1.
        d_model: el número de dimensiones, par.

    Returns:
        La tabla de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    raise NotImplementedError
