"""Horas y días de la semana como ángulos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def two_seasons(seed, N, day, week, harmonics):
    """Las posiciones de N momentos en el día y en la semana, como senos y cosenos, aplanados.

    Args:
        seed: la semilla de los momentos.
        N: el número de momentos.
        day: las horas de un día.
        week: los días de una semana.
        harmonics: el número de ondas de cada uno de los dos ciclos estacionales.

    Returns:
        Las características de forma (N, 4 * harmonics), una fila por cada momento, como un array float32 de forma
        (N * 4 * harmonics,).
    """
    hours = jax.random.randint(jax.random.key(seed), (N,), 0, 1000, dtype=jnp.int32)
    raise NotImplementedError
