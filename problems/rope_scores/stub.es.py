"""Puntuaciones de consultas y claves giradas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def rope_scores(seed, T, d_head, offset):
    """Las puntuaciones de atención de consultas y claves que se giraron según sus posiciones, aplanadas.

    Args:
        seed: la semilla de las entradas q y k.
        T: el número de consultas, y de claves.
        d_head: el número de dimensiones, par.
        offset: la posición de la primera consulta y de la primera clave.

    Returns:
        Las puntuaciones de forma (T, T), una fila por cada consulta, como un array float32 de forma (T * T,).
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key)
    q = jax.random.normal(k1, (T, d_head), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_head), dtype=jnp.float32)
    raise NotImplementedError
