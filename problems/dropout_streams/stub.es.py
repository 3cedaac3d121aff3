"""Flujos de claves, train() y eval().

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def dropout_streams(seed, N, d, rate):
    """Lo que da un módulo propio de dropout en dos llamadas del entrenamiento y después en la evaluación, aplanado.

    Escribe un módulo `Drop(rate, *, rngs)` que guarda `rngs`. En el entrenamiento, cada llamada toma una clave nueva del
    flujo `dropout` y conserva cada número de x con la probabilidad 1 - rate. En la evaluación no cambia nada ni toma ninguna
    clave.

    Args:
        seed: la semilla de x y de los flujos.
        N: el número de filas de x.
        d: el ancho de x.
        rate: la probabilidad de que un número se descarte, como mínimo 0 y menor que 1.

    Returns:
        El array de forma (3, N, d) como un array float32 de forma (3 * N * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    raise NotImplementedError
