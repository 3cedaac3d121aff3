"""Un paso especulativo.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def speculative_step(seed, K, V):
    """Cuántos tokens del borrador adopta el modelo grande, y las probabilidades del siguiente; funciona con `jax.jit`.

    Args:
        seed: la semilla de los modelos, del borrador y de los números que deciden; con `jax.jit`, todavía no tiene valor.
        K: el número de tokens del borrador, un número entero.
        V: el número de tokens del vocabulario, un número entero.

    Returns:
        El número de tokens adoptados, luego las V probabilidades del siguiente, como un array float32 de forma
        (1 + V,).
    """
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    q = jax.nn.softmax(2 * jax.random.normal(k1, (K, V), dtype=jnp.float32), axis=-1)  # el modelo borrador
    p = jax.nn.softmax(2 * jax.random.normal(k2, (K + 1, V), dtype=jnp.float32), axis=-1)  # el modelo grande
    draft = jax.random.categorical(k3, jnp.log(q), axis=-1)  # los K tokens que muestreó el modelo borrador
    u = jax.random.uniform(k4, (K,), dtype=jnp.float32)
    raise NotImplementedError
