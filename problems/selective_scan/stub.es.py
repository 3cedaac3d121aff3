"""Una memoria que elige.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def selective_scan(seed, T, d, n):
    """La recurrencia de una capa Mamba, calculada sin un bucle que recorra los pasos, aplanada.

    Args:
        seed: la semilla de las entradas y de los pesos.
        T: el número de pasos.
        d: el número de canales.
        n: el número de estados de cada canal.

    Returns:
        Las salidas de forma (T, d), una fila por cada paso, como un array float32 de forma (T * d,).
    """
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    u = jax.random.normal(k1, (T, d), dtype=jnp.float32)
    raw_delta = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    A_log = jax.random.normal(k3, (d, n), dtype=jnp.float32)
    B = jax.random.normal(k4, (T, n), dtype=jnp.float32)
    C = jax.random.normal(k5, (T, n), dtype=jnp.float32)
    D = jax.random.normal(k6, (d,), dtype=jnp.float32)
    raise NotImplementedError
