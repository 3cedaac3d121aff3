"""Posiciones para las dos hebras.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def strand_symmetric_pos(seed, L, d_model):
    """La codificación posicional de una hebra de ADN, la misma desde los dos extremos, una fila por base, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        L: el número de bases de la hebra.
        d_model: el número de dimensiones, par o impar.

    Returns:
        La tabla de forma (L, d_model) como un array float32 de forma (L * d_model,).
    """
    raise NotImplementedError
