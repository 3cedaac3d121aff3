"""Atención con relleno.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def padded_attention(seed, B, T, d_model):
    """Atención dentro de secuencias de distinta longitud, cuyo relleno ni se ve ni recibe respuesta, aplanada.

    Args:
        seed: la semilla de las consultas, las claves y los valores, y de las longitudes.
        B: el número de secuencias.
        T: el número de posiciones de cada una, incluido el relleno.
        d_model: el número de dimensiones.

    Returns:
        Las salidas de forma (B, T, d_model), cero en las consultas de relleno, como un array float32 de forma
        (B * T * d_model,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    q = jax.random.normal(k1, (B, T, d_model), dtype=jnp.float32)
    k = jax.random.normal(k2, (B, T, d_model), dtype=jnp.float32)
    v = jax.random.normal(k3, (B, T, d_model), dtype=jnp.float32)
    lengths = jax.random.randint(k4, (B,), 1, T + 1, dtype=jnp.int32)
    raise NotImplementedError
