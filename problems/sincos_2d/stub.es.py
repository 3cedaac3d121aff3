"""Posiciones en una imagen.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def sincos_2d(seed, height, width, d_model):
    """La codificación posicional de los parches de una imagen, una fila por parche, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        height: el número de parches de arriba abajo.
        width: el número de parches de izquierda a derecha.
        d_model: el número de dimensiones, un múltiplo de 4.

    Returns:
        La tabla de forma (height * width, d_model) como un array float32 de forma (height * width * d_model,).
    """
    raise NotImplementedError
