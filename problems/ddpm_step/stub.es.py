"""Del ruido a los datos, paso a paso.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def ddpm_step(seed, N, d, steps, first, last):
    """El camino de N muestras de un modelo de difusión, del ruido a los datos, aplanado.

    Args:
        seed: la semilla del inicio, de los pesos de la red y del ruido.
        N: el número de muestras.
        d: el número de dimensiones de una muestra.
        steps: el número de pasos.
        first: la proporción de ruido en el tiempo 0, un número de coma flotante de 0.01 a 0.5.
        last: la proporción de ruido en el último tiempo, un número de coma flotante de 0.01 a 0.5, como mínimo `first`.

    Returns:
        Las muestras formadas en cada tiempo, de forma (steps, N, d), primero el tiempo 0, como un array float32
        de forma (steps * N * d,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    W = jax.random.normal(k2, (d, d), dtype=jnp.float32) / d**0.5
    noise = jax.random.normal(k3, (steps, N, d), dtype=jnp.float32)
    raise NotImplementedError
