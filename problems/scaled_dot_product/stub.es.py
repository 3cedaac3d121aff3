"""Atención por producto escalar escalado.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def scaled_dot_product(seed, T, d_model):
    """La atención de cada consulta a cada clave, aplanada.

    Args:
        seed: la semilla de las consultas, las claves y los valores.
        T: el número de posiciones.
        d_model: el número de dimensiones.

    Returns:
        Las salidas de forma (T, d_model), una fila por cada consulta, como un array float32 de forma (T * d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d_model), dtype=jnp.float32)
    raise NotImplementedError
