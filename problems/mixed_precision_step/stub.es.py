"""Entrenar en 16 y 32 bits.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def mixed_precision_step(seed, N, d, steps, rate):
    """Regresión lineal en float16 con pesos en float32: los pesos y las pérdidas de todos los pasos, aplanados.

    Args:
        seed: la semilla de los ejemplos.
        N: el número de ejemplos de cada lote, un número entero.
        d: el número de pesos, un número entero.
        steps: el número de pasos, cada uno con un lote, un número entero.
        rate: la tasa de aprendizaje, un número de coma flotante mayor que 0.

    Returns:
        Un array float32 de forma ((d + 1) * steps,): una fila por cada peso, con su valor después de cada paso, y luego
        una fila con la pérdida de cada paso.
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    X = jax.random.normal(k1, (steps, N, d), dtype=jnp.float32) / 8192
    y = X @ (1 + jax.random.normal(k2, (d,), dtype=jnp.float32))
    w = jnp.ones(d)
    limit, scale = 5e-8, 2.0**29
    raise NotImplementedError
