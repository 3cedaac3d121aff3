"""La capa feed-forward.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def feed_forward(seed, N, d_model, d_ff):
    """Las filas pasan por dos transformaciones lineales con una gelu exacta entre ellas, aplanadas.

    Args:
        seed: la semilla de las filas, los pesos y los sesgos.
        N: el número de filas, una por token.
        d_model: el número de dimensiones.
        d_ff: el número de dimensiones en el medio.

    Returns:
        Las filas que salen, de forma (N, d_model), como un array float32 de forma (N * d_model,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    W1 = jax.random.normal(k2, (d_model, d_ff), dtype=jnp.float32) / d_model**0.5
    b1 = jax.random.normal(k3, (d_ff,), dtype=jnp.float32)
    W2 = jax.random.normal(k4, (d_ff, d_model), dtype=jnp.float32) / d_ff**0.5
    b2 = jax.random.normal(k5, (d_model,), dtype=jnp.float32)
    raise NotImplementedError
