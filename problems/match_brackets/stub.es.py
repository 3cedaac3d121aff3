"""Emparejar paréntesis.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def match_brackets(seed, T):
    """Para cada paréntesis de cierre, la posición del paréntesis de apertura al que cierra.

    Args:
        seed: la semilla de los paréntesis, que se generan al azar más abajo.
        T: el número de paréntesis.

    Returns:
        Un array int32 de forma (T,): el índice de la apertura, o -1 donde no hay ninguna y donde un paréntesis abre.
    """
    tokens = jnp.where(jax.random.bernoulli(jax.random.key(seed), jnp.float32(0.5), (T,)), 1, -1)
    raise NotImplementedError
