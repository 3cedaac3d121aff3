"""Atención por bloques.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def chunked_attention(seed, T, d, block, scale):
    """Atención de cada consulta a cada clave, calculada por bloques de claves.

    Args:
        seed: la semilla de las consultas, las claves y los valores.
        T: el número de posiciones.
        d: el número de dimensiones.
        block: el número de claves de un bloque. No hace falta que divida a T.
        scale: el factor de las consultas, un número de coma flotante mayor que 0.

    Returns:
        Las salidas, de forma (T, d), fila por fila, como un array float32 de forma (T * d,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = scale * jax.random.normal(k1, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d), dtype=jnp.float32)
    raise NotImplementedError
