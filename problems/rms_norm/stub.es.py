"""Normalización por la raíz cuadrática media.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def rms_norm(seed, N, d_model):
    """Filas divididas entre su raíz cuadrática media y multiplicadas por una ganancia, aplanadas.

    Args:
        seed: la semilla de las filas y la ganancia.
        N: el número de filas, una por token.
        d_model: el número de dimensiones.

    Returns:
        Las filas normalizadas, de forma (N, d_model), como un array float32 de forma (N * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Una de cada dos filas es mil veces más pequeña.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
