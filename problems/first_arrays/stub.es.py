"""Arrays.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def first_arrays(seed, N, d):
    """Tabla de columnas centradas, con las filas ponderadas y la primera fila de ceros, aplanada.

    Args:
        seed: la semilla de la tabla.
        N: el número de filas.
        d: el número de columnas.

    Returns:
        La tabla de forma (N, d), como un array float32 de forma (N * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    raise NotImplementedError
