"""El paso hacia atrás, a mano.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def backward_by_hand(seed, N, d, H):
    """La pérdida de una red de dos capas y sus cuatro gradientes, escritos sin `jax.grad`.

    Args:
        seed: la semilla de las filas x, de sus etiquetas y de los parámetros.
        N: el número de filas.
        d: el ancho de una fila.
        H: el ancho de la capa oculta.

    Returns:
        La pérdida y luego los gradientes de W1, b1, W2 y b2, cada uno fila por fila: un array float32 de forma
        (1 + d * H + H + 3 * H + 3,).
    """
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (N, d), dtype=jnp.float32)
    labels = jax.random.randint(keys[1], (N,), 0, 3)
    W1 = jax.random.normal(keys[2], (d, H), dtype=jnp.float32) / d**0.5
    b1 = jax.random.normal(keys[3], (H,), dtype=jnp.float32)
    W2 = jax.random.normal(keys[4], (H, 3), dtype=jnp.float32) / H**0.5
    b2 = jax.random.normal(keys[5], (3,), dtype=jnp.float32)
    raise NotImplementedError
