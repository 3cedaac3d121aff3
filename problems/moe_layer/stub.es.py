"""Una mezcla de expertos.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def moe_layer(seed, N, d, E, k):
    """Cada token pasa por los `k` expertos con las proporciones más grandes; funciona también con `jax.jit`.

    Args:
        seed: la semilla de los tokens y de los pesos; con `jax.jit`, todavía no tiene valor.
        N: el número de tokens, un número entero.
        d: el número de dimensiones, un número entero.
        E: el número de expertos, un número entero.
        k: el número de expertos para cada token, un número entero de 1 a E.

    Returns:
        La salida de forma (N, d), como un array float32 de forma (N * d,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    router = jax.random.normal(k2, (d, E), dtype=jnp.float32) / d**0.5
    W1 = jax.random.normal(k3, (E, d, 2 * d), dtype=jnp.float32) / d**0.5
    W2 = jax.random.normal(k4, (E, 2 * d, d), dtype=jnp.float32) / (2 * d) ** 0.5
    raise NotImplementedError
