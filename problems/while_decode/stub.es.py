"""Decodificar hasta que terminen todas las filas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def while_decode(seed, B, V, max_len):
    """Los tokens que siguen a los primeros tokens, hasta el final de cada fila, y el número de iteraciones.

    Args:
        seed: la semilla de la tabla y de los primeros tokens.
        B: el número de filas.
        V: el número de tokens, como mínimo 2.
        max_len: el número de posiciones de una fila, y el mayor número de iteraciones.

    Returns:
        Los tokens, de forma (B, max_len), fila por fila, y luego el número de iteraciones: un array int32 de forma
        (B * max_len + 1,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    table = jax.random.normal(k1, (V, V), dtype=jnp.float32)
    first = jax.random.randint(k2, (B,), 1, V)
    raise NotImplementedError
