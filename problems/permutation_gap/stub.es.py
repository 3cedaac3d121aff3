"""La diferencia que deja el orden.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def permutation_gap(seed, T, d_model):
    """Cuánto dista la atención con filas barajadas de la atención barajada: sin posiciones y luego con ellas, aplanado.

    Args:
        seed: la semilla de las filas aleatorias y de la permutación.
        T: el número de filas, una por token.
        d_model: el número de dimensiones, par.

    Returns:
        Las dos diferencias, de forma (2, T, d_model), como un array float32 de forma (2 * T * d_model,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    perm = jax.random.permutation(k2, T)
    raise NotImplementedError
