"""Un paso de entrenamiento con Adam.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax


def train_step(seed, N, d_model, steps):
    """Los pesos de una regresión lineal después de unos pasos de Adam, desde cero, con el error cuadrático medio.

    Args:
        seed: la semilla de los ejemplos y de sus objetivos.
        N: el número de ejemplos.
        d_model: el número de características, y de pesos.
        steps: el número de pasos de entrenamiento.

    Returns:
        Los pesos entrenados, como un array float32 de forma (d_model,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    true_weights = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    y = X @ true_weights + 0.1 * jax.random.normal(k3, (N,), dtype=jnp.float32)
    raise NotImplementedError
