"""Pesos que conservan la dispersión.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def init_spread(seed, L, d, gain):
    """La desviación estándar de los números de cada capa de una red con pesos aleatorios.

    Los pesos de la capa l, contada desde 0, se generan con `jax.random.normal` en float32, a partir de `k_w` con l
    incorporado.

    Args:
        seed: la semilla de las filas x y de los pesos.
        L: el número de capas.
        d: el ancho de las filas; una capa de número par l las hace de ancho 4 * d, y la siguiente otra vez de d.
        gain: la varianza de un peso, multiplicada por el número de entradas de su capa; un número de coma flotante.

    Returns:
        La dispersión de cada capa, antes de la relu: un array float32 de forma (L,).
    """
    k_x, k_w = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k_x, (16, d), dtype=jnp.float32)
    raise NotImplementedError
