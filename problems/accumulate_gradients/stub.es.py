"""Gradientes de microlotes.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def accumulate_gradients(seed, micro, B, T, V, limit):
    """La pérdida de un lote grande, y los pesos después de un paso, a partir de microlotes, uno tras otro.

    Args:
        seed: la semilla de los tokens y de los pesos.
        micro: el número de microlotes.
        B: el número de textos de un microlote.
        T: el número de tokens de un texto.
        V: el número de palabras del vocabulario, en el que la palabra 0 es el relleno.
        limit: la longitud que puede tener el gradiente, un número de coma flotante.

    Returns:
        La pérdida de antes del paso y luego los pesos nuevos, fila por fila, como un array float32 de forma
        (1 + V * V,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (micro, B, T), 0, V, dtype=jnp.int32)
    W = jax.random.normal(k2, (V, V), dtype=jnp.float32)
    raise NotImplementedError
