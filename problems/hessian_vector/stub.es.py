"""Una hessiana por un vector.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def hessian_vector(seed, N, d):
    """La hessiana de la pérdida logística, en los pesos, por un vector.

    Args:
        seed: la semilla de los puntos, de las etiquetas, de los pesos y del vector.
        N: el número de puntos.
        d: el número de pesos.

    Returns:
        El producto, como un array float32 de forma (d,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    X = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.bernoulli(k2, 0.5, (N,))
    w = jax.random.normal(k3, (d,), dtype=jnp.float32) / d**0.5
    v = jax.random.normal(k4, (d,), dtype=jnp.float32)
    raise NotImplementedError
