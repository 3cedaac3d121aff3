"""Fusionar pares en tokens.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def bpe_encode(seed, T, V, merges):
    """Los tokens de un texto, según reglas que fusionan pares, y su número.

    Args:
        seed: la semilla del texto y de las reglas.
        T: el número de letras del texto.
        V: el número de letras distintas.
        merges: el número de reglas; la regla r forma el token V + r a partir del par pairs[r].

    Returns:
        El número de tokens, luego los tokens y luego -1 hasta el final: un array int32 de forma (1 + T,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    text = jax.random.randint(k1, (T,), 0, V)
    earlier = (V + jnp.arange(merges))[:, None]  # de cuántos tokens dispone una regla
    pairs = jnp.floor(earlier * jax.random.uniform(k2, (merges, 2), dtype=jnp.float32)).astype(jnp.int32)
    raise NotImplementedError
