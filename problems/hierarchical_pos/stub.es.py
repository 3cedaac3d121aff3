"""Posiciones jerárquicas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def hierarchical_pos(seed, n_par, n_word, d_model):
    """La codificación posicional de las palabras de un documento, una fila por palabra, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        n_par: el número de párrafos.
        n_word: el número de palabras de cada párrafo.
        d_model: el número de dimensiones, un múltiplo de 4.

    Returns:
        La tabla de forma (n_par * n_word, d_model) como un array float32 de forma (n_par * n_word * d_model,).
    """
    raise NotImplementedError
