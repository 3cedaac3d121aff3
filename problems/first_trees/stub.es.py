"""Árboles.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def first_trees(seed, N, d, H, rate):
    """Los parámetros de una red pequeña después de un paso de descenso de gradiente, en un solo array.

    Args:
        seed: la semilla de los puntos, de sus objetivos y de los parámetros.
        N: el número de puntos.
        d: el número de columnas de x.
        H: el número de unidades ocultas.
        rate: la tasa del paso, un número de coma flotante.

    Returns:
        Todas las hojas de los parámetros nuevos en el orden de `jax.tree.leaves`, como un array float32 de forma
        (H + d * H + 1 + H,).
    """
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    parameters = {
        "out": {"weight": jax.random.normal(k3, (H,)), "bias": jax.random.normal(k4, ())},
        "hidden": {"weight": jax.random.normal(k5, (d, H)), "bias": jax.random.normal(k6, (H,))},
    }
    raise NotImplementedError
