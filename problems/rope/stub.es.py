"""Embedding posicional rotatorio.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def rope(seed, T, H, d_head):
    """Consultas o claves de varias cabezas, giradas según sus posiciones y aplanadas.

    Args:
        seed: la semilla de la entrada x.
        T: el número de posiciones, de 0 a T - 1.
        H: el número de cabezas.
        d_head: el número de dimensiones de una cabeza, par.

    Returns:
        El array girado de forma (T, H, d_head) como un array float32 de forma (T * H * d_head,).
    """
    key = jax.random.key(seed)
    x = jax.random.normal(key, (T, H, d_head), dtype=jnp.float32)
    raise NotImplementedError
