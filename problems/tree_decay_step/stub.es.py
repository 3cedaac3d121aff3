"""Recorte y decaimiento en un árbol.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def tree_decay_step(seed, L, d, limit, decay):
    """Los parámetros de L capas tras un paso con recorte del gradiente y decaimiento de las matrices, en un array.

    Args:
        seed: la semilla de los parámetros y de los gradientes.
        L: el número de capas.
        d: el ancho de cada capa.
        limit: la longitud que puede tener el gradiente de todos los parámetros juntos, un número de coma flotante.
        decay: la intensidad del decaimiento, un número de coma flotante.

    Returns:
        Todas las hojas de los parámetros nuevos en el orden de `jax.tree.leaves`, como un array float32 de forma
        (L * (d + d * d),).
    """
    keys = iter(jax.random.split(jax.random.key(seed), 4 * L))

    def layer():
        w = jax.random.normal(next(keys), (d, d), dtype=jnp.float32)
        b = jax.random.normal(next(keys), (d,), dtype=jnp.float32)
        return {"w": w, "b": b}

    params = [layer() for _ in range(L)]
    grads = [layer() for _ in range(L)]
    raise NotImplementedError
