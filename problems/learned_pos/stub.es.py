"""Posiciones aprendidas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def learned_pos(seed, B, T, max_len, d_model):
    """Los vectores de los tokens más las primeras filas de una tabla de posiciones aprendidas, aplanados.

    Args:
        seed: la semilla de los vectores de los tokens y de los pesos de la capa.
        B: el número de secuencias.
        T: el número de tokens de cada secuencia, como máximo max_len.
        max_len: el número de filas de la tabla.
        d_model: el número de dimensiones.

    Returns:
        El array de forma (B, T, d_model) como un array float32 de forma (B * T * d_model,).
    """
    x = jax.random.normal(jax.random.key(seed), (B, T, d_model), dtype=jnp.float32)
    table = nnx.Embed(max_len, d_model, rngs=nnx.Rngs(jax.random.key(seed)))
    raise NotImplementedError
