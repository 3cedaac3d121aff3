"""Entropía de lo que se ve.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def grad_masked_entropy(seed, N, V, temperature):
    """La entropía de la softmax de cada fila sobre las columnas que ve; JAX debe poder derivarla.

    Args:
        seed: la semilla de los logits y de las longitudes.
        N: el número de filas, un número entero.
        V: el número de columnas, un número entero.
        temperature: lo que divide a los logits, como mínimo 0.5. Puede ser un número de coma flotante de Python o un
            array de JAX que se está derivando: no lo conviertas en otra cosa.

    Returns:
        Las entropías en nats, como un array float32 de forma (N,). La derivada no se devuelve: la calcula el corrector.
    """
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    logits = jax.random.normal(k1, (N, V), dtype=jnp.float32)
    lengths = jax.random.randint(k2, (N,), 1, V + 1, dtype=jnp.int32)
    raise NotImplementedError
