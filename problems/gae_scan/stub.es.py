"""Ventajas con un scan.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def gae_scan(seed, T, gamma, lam):
    """Estimaciones generalizadas de la ventaja para un tramo de T pasos, en orden cronológico.

    Args:
        seed: la semilla de las recompensas, los valores y los finales de los episodios.
        T: el número de pasos.
        gamma: el descuento, un número de coma flotante de 0 a 1.
        lam: el decaimiento de la estimación, un número de coma flotante de 0 a 1.

    Returns:
        Una ventaja por cada paso, como un array float32 de forma (T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    rewards = jax.random.normal(k1, (T,), dtype=jnp.float32)
    values = jax.random.normal(k2, (T + 1,), dtype=jnp.float32)
    done = jax.random.bernoulli(k3, 0.2, (T,))
    raise NotImplementedError
