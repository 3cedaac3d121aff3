"""Los pasos de tiempo como ondas.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def timestep_embedding(seed, N, d_model, max_period, scale):
    """Los embeddings de N tiempos, como los usa un modelo de difusión, aplanados.

    Args:
        seed: la semilla de los tiempos.
        N: el número de tiempos.
        d_model: el número de dimensiones, par o impar, como mínimo 2.
        max_period: la base de las frecuencias, un número de coma flotante, como mínimo 50.
        scale: el factor que convierte los tiempos en pasos, un número de coma flotante, como mínimo 0.5.

    Returns:
        Los embeddings de forma (N, d_model), una fila por cada tiempo, como un array float32 de forma (N * d_model,).
    """
    time = jax.random.uniform(jax.random.key(seed), (N,), dtype=jnp.float32)
    raise NotImplementedError
