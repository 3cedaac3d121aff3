"""Dropout posicional.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def positional_dropout(seed, B, T, d_model, rate):
    """Tokens más posiciones, una vez como los ve el entrenamiento y otra como los ve la evaluación, aplanados.

    Args:
        seed: la semilla de los vectores de los tokens `x` y, mediante la clave `k2`, de la máscara.
        B: el número de secuencias, un número entero.
        T: el número de tokens de cada secuencia, un número entero.
        d_model: el número de dimensiones, un número entero, par.
        rate: la probabilidad de que un número se descarte, entre 0 y 1.

    Returns:
        El array de forma (2, B, T, d_model), primero el entrenamiento, como un array float32 de forma
        (2 * B * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    raise NotImplementedError
