"""Atención con consultas agrupadas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def grouped_query(seed, T, d_model, H, G):
    """Atención causal de filas a sí mismas, donde grupos de cabezas de consultas comparten claves y valores, aplanada.

    Args:
        seed: la semilla de las filas x y de las matrices.
        T: el número de filas, una por token.
        d_model: el número de dimensiones.
        H: el número de cabezas de consultas, que divide a d_model.
        G: el número de cabezas de claves, que divide a H.

    Returns:
        Las filas de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    d_head = d_model // H
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wv = jax.random.normal(k4, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wo = jax.random.normal(k5, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    raise NotImplementedError
