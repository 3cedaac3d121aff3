"""Gradientes recortados con vmap.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def vmap_clipped_gradients(seed, N, d_model, limit):
    """La media de los gradientes de los ejemplos, cada uno recortado a una longitud; se puede mapear sobre semillas.

    Args:
        seed: la semilla de los ejemplos, los objetivos y los pesos; con `jax.vmap` representa muchas.
        N: el número de ejemplos, un número entero.
        d_model: el número de características, y de pesos, un número entero.
        limit: la longitud que el gradiente de ningún ejemplo puede superar, un número de coma flotante mayor que 0.

    Returns:
        La media de los gradientes recortados, como un array float32 de forma (d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
