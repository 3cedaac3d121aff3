"""Entrenar un módulo de Flax.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def nnx_train(seed, N, d_in, d_hidden, steps):
    """La pérdida antes de cada uno de los `steps` pasos de descenso de gradiente con momento.

    El modelo es un módulo con dos capas, creadas en este orden con el mismo `rngs`:

        first   nnx.Linear(d_in, d_hidden, rngs=rngs)
        second  nnx.Linear(d_hidden, 1, rngs=rngs)

    con una tanh entre ellas. Su resultado para N filas tiene la forma (N,).

    Args:
        seed: la semilla de las filas x, de los objetivos y, y de los pesos.
        N: el número de ejemplos.
        d_in: el número de características de un ejemplo.
        d_hidden: el ancho entre las capas.
        steps: el número de pasos.

    Returns:
        El error cuadrático medio antes de cada paso, como un array float32 de forma (steps,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    rule = optax.sgd(0.1, momentum=0.9)
    raise NotImplementedError
