"""Un bloque feed-forward con compuerta.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def swiglu_block(seed, T, d_model, d_ff):
    """Vectores de tokens después de un bloque feed-forward con una SwiGLU y pesos recién creados, aplanados.

    Construye el bloque como un `nnx.Module` con estas cuatro capas. Todas reciben el mismo `rngs`, y se crean en este
    orden, porque cada una toma la clave siguiente del flujo, también la normalización:

        norm  nnx.RMSNorm(d_model, rngs=rngs)
        gate  nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        up    nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        down  nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)

    Args:
        seed: la semilla de los vectores de los tokens x y de los pesos de las capas.
        T: el número de posiciones.
        d_model: el número de dimensiones.
        d_ff: el ancho entre las capas.

    Returns:
        El array de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    x = 1 + jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
