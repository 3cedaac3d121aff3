"""Claves aleatorias.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def first_keys(seed, N, T):
    """Una caminata aleatoria de N números a lo largo de T pasos, aplanada.

    Las claves: divide `key` una sola vez, en dos. El inicio, de forma (N,), se genera con la primera mediante
    `jax.random.normal`, en float32. El ruido del paso t, contado desde 0, se genera del mismo modo con la segunda,
    después de incorporarle t.

    Args:
        seed: la semilla del inicio y del ruido.
        N: el número de caminantes.
        T: el número de pasos.

    Returns:
        La caminata de forma (T, N), como un array float32 de forma (T * N,).
    """
    key = jax.random.key(seed)
    raise NotImplementedError
