"""Compilar una sola vez.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def compile_once(seed, N, size, degree):
    """Las medias de las primeras potencias de unos números que llegan en trozos, y cuántas veces ha trazado JAX.

    Args:
        seed: la semilla de los números x.
        N: cuántos números hay.
        size: cuántos de ellos llegan a la vez; el último trozo puede tener menos.
        degree: la potencia más alta.

    Returns:
        Una fila de degree + 1 números por cada trozo: las medias de todos los números hasta ahora, de sus cuadrados,
        etc., y luego cuántas veces ha trazado JAX hasta ahora. Un array float32 de forma (pieces * (degree + 1),).
    """
    x = jax.random.uniform(jax.random.key(seed), (N,), minval=-1.0, maxval=1.0)
    raise NotImplementedError
