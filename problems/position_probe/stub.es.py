"""Una sonda lineal para las posiciones.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def position_probe(seed, N, T, d_model, steps):
    """Las probabilidades que una sonda, entrenada con codificaciones posicionales ruidosas, da a «en la segunda mitad».

    Args:
        seed: la semilla de las posiciones aleatorias y del ruido.
        N: el número de ejemplos.
        T: el número de posiciones, de 0 a T - 1.
        d_model: el número de dimensiones, par.
        steps: el número de pasos de descenso de gradiente.

    Returns:
        Una probabilidad por cada ejemplo, como un array float32 de forma (N,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    positions = jax.random.randint(k1, (N,), 0, T, dtype=jnp.int32)
    noise = 0.1 * jax.random.normal(k2, (N, d_model), dtype=jnp.float32)
    raise NotImplementedError
