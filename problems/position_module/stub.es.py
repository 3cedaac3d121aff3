"""Una codificación posicional como módulo.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def position_module(seed, T, d_model, max_len, rate):
    """Lo que una codificación posicional da en el entrenamiento y después de un paso de entrenamiento, y su tabla.

    Escribe una clase de variable, `class Table(nnx.Variable)`, y un módulo
    `Positions(d_model, max_len, rate, *, rngs)` con

        gain   nnx.Param  unos, de forma (d_model,)
        table  Table      codificaciones sinusoidales, de forma (max_len, d_model), seno y coseno alternados

    Da `x * gain + table`, con tantas filas de la tabla como tiene x, y luego dropout con claves del flujo `dropout`.

    Args:
        seed: la semilla de los vectores de los tokens x y de las máscaras.
        T: el número de posiciones de x.
        d_model: el número de dimensiones, par.
        max_len: el número de filas de la tabla, como mínimo T.
        rate: la probabilidad de que un número se descarte en el entrenamiento.

    Returns:
        Tres arrays en uno, cada uno fila por fila, como un array float32 de forma
        (2 * T * d_model + max_len * d_model,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(dropout=jax.random.key(seed + 1))
    optimizer = optax.sgd(0.1)
    raise NotImplementedError
