"""Softmax por filas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def softmax_rows(seed, N, V, scale):
    """La softmax de cada fila de números aleatorios multiplicados por una escala, aplanada.

    Args:
        seed: la semilla de los números aleatorios.
        N: el número de filas, un número entero.
        V: el número de columnas, un número entero.
        scale: el factor antes de la softmax, un número de coma flotante mayor que 0, pequeño o grande.

    Returns:
        Las proporciones de forma (N, V), donde cada fila suma 1, como un array float32 de forma (N * V,).
    """
    key = jax.random.key(seed)
    z = jax.random.normal(key, (N, V), dtype=jnp.float32)
    raise NotImplementedError
