"""Normalización de capa.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def layer_norm(seed, N, d_model):
    """Filas de media 0 y varianza 1 (casi, si una fila es pequeña), por una ganancia, más un sesgo, aplanadas.

    Args:
        seed: la semilla de las filas, la ganancia y el sesgo.
        N: el número de filas, una por token.
        d_model: el número de dimensiones.

    Returns:
        Las filas normalizadas, de forma (N, d_model), como un array float32 de forma (N * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2, k3 = jax.random.split(key, 3)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    # Una de cada dos filas es mil veces más pequeña.
    x = x * jnp.where(jnp.arange(N) % 2 == 0, 1.0, 0.001)[:, None]
    gain = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    bias = jax.random.normal(k3, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
