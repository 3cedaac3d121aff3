"""Una clave para cada máscara.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def split_keys_dropout(seed, T, d_model, L, rate):
    """Las filas que han pasado por L capas con dropout, aplanadas.

    Las claves: divide `key` una sola vez, en L + 1 claves. Genera la entrada x, de forma (T, d_model), con la primera,
    con `jax.random.normal` en float32; genera la máscara de la capa l = 1 .. L con la clave número l, contada desde 0,
    con `jax.random.bernoulli`, en una sola llamada para toda la forma (T, d_model).

    Args:
        seed: la semilla de la entrada y de todas las máscaras.
        T: el número de filas, un número entero.
        d_model: el número de dimensiones, un número entero.
        L: el número de capas, un número entero.
        rate: la probabilidad de que un número se descarte, un número de coma flotante entre 0 y 1.

    Returns:
        Las filas después de la última capa, de forma (T, d_model), como un array float32 de forma (T * d_model,).
    """
    key = jax.random.key(seed)
    raise NotImplementedError
