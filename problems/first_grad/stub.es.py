"""Gradientes.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def first_grad(seed, N, d):
    """La pérdida de un modelo lineal en N puntos, y sus gradientes respecto a los pesos y al sesgo.

    Args:
        seed: la semilla de los puntos, de sus objetivos, de los pesos y del sesgo.
        N: el número de puntos.
        d: el número de pesos.

    Returns:
        La pérdida, el gradiente de w y el gradiente de b, como un array float32 de forma (d + 2,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    b = jax.random.normal(k4, (), dtype=jnp.float32)
    raise NotImplementedError
