"""Muchas capas con un solo scan.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def scan_layers(seed, L, T, d):
    """Vectores de tokens después de L capas, que crea un solo `nnx.vmap` y ejecuta un solo `nnx.scan`, aplanados.

    Escribe un módulo `Layer(d, *, rngs)` que contiene un `nnx.Linear(d, d, rngs=rngs)` y da `x + tanh(linear(x))`. Crea
    todas las capas con una sola llamada de una función debajo de estas dos líneas, porque los pesos dependen de ellas:

        @nnx.split_rngs(splits=L)
        @nnx.vmap(in_axes=0, out_axes=0)

    Y ejecútalas con una sola llamada de una función debajo de esta línea:

        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)

    Args:
        seed: la semilla de x y de los pesos.
        L: el número de capas.
        T: el número de posiciones.
        d: el número de dimensiones.

    Returns:
        El array de forma (T, d), como un array float32 de forma (T * d,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
