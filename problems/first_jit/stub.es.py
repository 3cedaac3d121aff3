"""jit.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def first_jit(seed, N, limit):
    """Los números que superan un límite, y su media en lugar de los demás; debe poder ejecutarse con `jax.jit`.

    Args:
        seed: la semilla de los números; con `jax.jit`, todavía no tiene valor.
        N: cuántos números hay.
        limit: los números que lo superan se conservan; es de coma flotante y, con `jax.jit`, todavía no tiene valor.

    Returns:
        Un array float32 de forma (N,).
    """
    x = jax.random.randint(jax.random.key(seed), (N,), -4, 6).astype(jnp.float32)
    raise NotImplementedError
