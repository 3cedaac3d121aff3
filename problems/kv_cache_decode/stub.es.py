"""Decodificar con una caché.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def kv_cache_decode(seed, T, d_model, H):
    """Atención causal multicabeza, una posición cada vez, con una caché de claves y valores, aplanada.

    Args:
        seed: la semilla de las filas x y de las matrices.
        T: el número de filas, una por token, y de huecos de la caché.
        d_model: el número de dimensiones.
        H: el número de cabezas, que divide a d_model.

    Returns:
        Las filas de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    raise NotImplementedError
