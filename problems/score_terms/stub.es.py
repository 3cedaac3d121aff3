"""Cuatro términos de una puntuación.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def score_terms(seed, T, d_model):
    """Los cuatro términos de las puntuaciones de atención de tokens con posiciones sumadas, aplanados.

    Args:
        seed: la semilla de los contenidos y de las dos matrices.
        T: el número de tokens.
        d_model: el número de dimensiones, par.

    Returns:
        Las cuatro tablas de forma (4, T, T), cada una con una fila por consulta, como un array float32 de forma
        (4 * T * T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
