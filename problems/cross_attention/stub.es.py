"""Atención cruzada.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def cross_attention(seed, B, Tq, Tk, d, H):
    """Las filas de un decodificador atienden a las de un codificador, en varias cabezas.

    Args:
        seed: la semilla de todas las filas, de sus longitudes y de las matrices.
        B: el número de secuencias.
        Tq: el número de posiciones del decodificador, con el relleno.
        Tk: el número de posiciones del codificador, con el relleno.
        d: el número de dimensiones.
        H: el número de cabezas, que divide a d.

    Returns:
        Las filas de forma (B, Tq, d), cero donde el decodificador tiene relleno, como un array float32 unidimensional.
    """
    keys = jax.random.split(jax.random.key(seed), 8)
    y = jax.random.normal(keys[0], (B, Tq, d), dtype=jnp.float32)
    x = jax.random.normal(keys[1], (B, Tk, d), dtype=jnp.float32)
    y_lengths = jax.random.randint(keys[2], (B,), 1, Tq + 1)
    x_lengths = jax.random.randint(keys[3], (B,), 1, Tk + 1)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[4:])
    raise NotImplementedError
