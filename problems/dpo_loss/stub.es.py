"""Una pérdida para preferencias.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def dpo_loss(seed, B, T, V, beta):
    """La pérdida de la optimización directa de preferencias, para cada par de respuestas.

    El índice 0 de `policy`, `reference` y `tokens` es la respuesta que eligieron las personas; el 1, la que rechazaron.

    Args:
        seed: la semilla de los logits, de los tokens y de las longitudes de los prompts.
        B: el número de pares.
        T: el número de tokens de una secuencia, prompt y respuesta juntos, como mínimo 2.
        V: el número de tokens del vocabulario.
        beta: con cuánta fuerza tira la pérdida; un número de coma flotante, o un array trazado mientras se deriva la
            pérdida.

    Returns:
        Una pérdida por cada par, como un array float32 de forma (B,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    policy = jax.random.normal(k1, (2, B, T, V), dtype=jnp.float32)
    reference = jax.random.normal(k2, (2, B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k3, (2, B, T), 0, V, dtype=jnp.int32)
    prompt = jax.random.randint(k4, (B,), 1, T, dtype=jnp.int32)
    raise NotImplementedError
