"""Empaquetar documentos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def pack_documents(seed, docs, T, d):
    """El lugar de cada token en una fila de documentos empaquetados, y la atención dentro de cada documento.

    Args:
        seed: la semilla de longitudes, consultas, claves y valores; con `jax.jit`, todavía no tiene valor.
        docs: el número de documentos.
        T: el número de lugares de la fila.
        d: el número de dimensiones de una consulta, una clave y un valor.

    Returns:
        Una fila por cada lugar, de forma (T, 3 + d), como un array float32 de forma (T * (3 + d),): el número del
        documento, el lugar dentro de él, si hay un objetivo, y los d números de la atención.
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    lengths = jax.random.randint(k1, (docs,), 1, 6)
    q = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k3, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k4, (T, d), dtype=jnp.float32)
    raise NotImplementedError
