"""Embeddings de tokens.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def embed_tokens(seed, B, T, V, d_model):
    """Vectores de los tokens, escalados, más sus posiciones; cero donde el token es relleno; aplanados.

    Args:
        seed: la semilla de los tokens y de la tabla.
        B: el número de secuencias.
        T: el número de tokens de cada secuencia.
        V: el número de tokens distintos; el token 0 es el relleno.
        d_model: el número de dimensiones, par.

    Returns:
        El array de forma (B, T, d_model) como un array float32 de forma (B * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (B, T), 0, V, dtype=jnp.int32)
    table = jax.random.normal(k2, (V, d_model), dtype=jnp.float32) / d_model**0.5
    raise NotImplementedError
