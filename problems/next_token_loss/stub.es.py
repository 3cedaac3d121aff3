"""La pérdida del token siguiente.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def next_token_loss(seed, B, T, V):
    """La entropía cruzada media al predecir cada token siguiente, sin el relleno.

    Args:
        seed: la semilla de los logits y de los tokens.
        B: el número de secuencias.
        T: el número de tokens de cada secuencia.
        V: el número de palabras del vocabulario, en el que la palabra 0 es el relleno.

    Returns:
        Un solo número, como un array float32 de forma (1,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    logits = jax.random.normal(k1, (B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k2, (B, T), 0, V, dtype=jnp.int32)
    raise NotImplementedError
