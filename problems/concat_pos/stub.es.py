"""Uno junto al otro o sumados.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def concat_pos(seed, T, d_model, d_pos):
    """Los tokens con una posición de d_pos números al lado, mezclados con una sola matriz, aplanados.

    Args:
        seed: la semilla de los tokens, de las posiciones y de la matriz.
        T: el número de posiciones.
        d_model: el número de dimensiones de un token y de una fila mezclada.
        d_pos: el número de dimensiones de una posición.

    Returns:
        Las filas mezcladas de forma (T, d_model), una fila por token, como un array float32 de forma (T * d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    tokens = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    positions = jax.random.normal(k2, (T, d_pos), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_model + d_pos, d_model), dtype=jnp.float32) / (d_model + d_pos) ** 0.5
    raise NotImplementedError
