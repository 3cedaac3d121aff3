"""La derivada de un punto fijo.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def implicit_fixed_point(seed, d, theta):
    """El punto fijo de x = tanh(W x + theta b); JAX debe poder derivarlo.

    Args:
        seed: la semilla de la matriz y del vector.
        d: cuántos números tiene el punto fijo, un número entero.
        theta: el número por el que se multiplica el vector, de 0.1 a 2. Puede ser un número de coma flotante de Python
            o un array de JAX que se está derivando: no lo conviertas en otra cosa.

    Returns:
        El punto fijo, como un array float32 de forma (d,). La derivada no se devuelve: la calcula el corrector.
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    W = jax.random.normal(k1, (d, d), dtype=jnp.float32) / (4 * d**0.5)
    b = jax.random.normal(k2, (d,), dtype=jnp.float32)
    raise NotImplementedError
