"""Un núcleo con jit.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def jit_safe_nucleus(seed, N, V, p):
    """Los tokens más probables de cada fila, los justos para alcanzar `p`, renormalizados; funciona con `jax.jit`.

    Args:
        seed: la semilla de los logits; con `jax.jit`, todavía no tiene valor.
        N: el número de filas, un número entero.
        V: el número de tokens del vocabulario, un número entero.
        p: la probabilidad que hay que alcanzar, entre 0 y 1; con `jax.jit`, todavía no tiene valor.

    Returns:
        Las probabilidades, de forma (N, V), cero donde se descarta un token, como un array float32 de forma (N * V,).
    """
    logits = jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)
    raise NotImplementedError
