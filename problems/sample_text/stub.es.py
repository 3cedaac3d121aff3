"""Muestrear texto.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def sample_text(seed, B, V, max_len, temperature):
    """Textos aleatorios: los tokens que se muestrean después de los primeros, hasta el final de cada fila.

    Las claves: la iteración 1 divide `k3` en dos, y cada iteración posterior divide la primera mitad de la iteración
    anterior. Con la segunda mitad se muestrean los tokens de todas las filas en una sola llamada de
    `jax.random.categorical`.

    Args:
        seed: la semilla de la tabla, de los primeros tokens y de todo lo que se muestrea.
        B: el número de filas.
        V: el número de tokens, como mínimo 2.
        max_len: el número de posiciones de una fila.
        temperature: lo que divide a las puntuaciones, un número de coma flotante, como mínimo 0; con 0 se toma el mejor
            token.

    Returns:
        Los tokens, de forma (B, max_len), como un array int32 de forma (B * max_len,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    table = 2 * jax.random.normal(k1, (V, V), dtype=jnp.float32)
    first = jax.random.randint(k2, (B,), 1, V)
    raise NotImplementedError
