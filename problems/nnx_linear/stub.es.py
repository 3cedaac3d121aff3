"""Un primer módulo de Flax.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def nnx_linear(seed, N, d_in, d_hidden, d_out):
    """Dos capas lineales propias, con una tanh entre ellas y pesos recién creados; el resultado, aplanado.

    Escribe un módulo `MyLinear(d_in, d_out, *, rngs)` que genera dos parámetros con `rngs`, en este orden:

        kernel  números normales de forma (d_in, d_out), divididos entre la raíz cuadrada de d_in
        bias    números normales de forma (d_out,), por 0.1

    Args:
        seed: la semilla de la entrada x y de los pesos.
        N: el número de filas de x.
        d_in: el ancho de x.
        d_hidden: el ancho entre las dos capas.
        d_out: el ancho del resultado.

    Returns:
        El array de forma (N, d_out) como un array float32 de forma (N * d_out,).
    """
    x = jax.random.normal(jax.random.key(seed), (N, d_in), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
