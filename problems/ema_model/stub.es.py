"""Una media de los pesos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def ema_model(seed, N, d, steps, decay):
    """Las predicciones de un modelo cuyos pesos son la media móvil de los pesos del entrenamiento.

    Args:
        seed: la semilla de los ejemplos x, de los objetivos y, y de los pesos.
        N: el número de ejemplos.
        d: el número de características de un ejemplo.
        steps: el número de pasos de entrenamiento.
        decay: la fracción de la media que se queda en cada paso.

    Returns:
        Las predicciones para x del modelo promediado después del último paso, como un array float32 de forma (N,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, 1), dtype=jnp.float32)
    model = nnx.Linear(d, 1, rngs=nnx.Rngs(jax.random.key(seed)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    raise NotImplementedError
