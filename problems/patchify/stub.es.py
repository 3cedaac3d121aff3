"""Una imagen como tokens.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def patchify(seed, H, W, C, P, d):
    """Los tokens que un transformer de visión forma con una imagen.

    Args:
        seed: la semilla de la imagen y de los parámetros.
        H: el número de filas de la imagen.
        W: el número de columnas de la imagen.
        C: el número de canales de un píxel.
        P: el lado de un parche en píxeles; divide a H y a W.
        d: el ancho de un token.

    Returns:
        Los tokens de forma (1 + H / P * W / P, d), primero el token de clase, como un array float32 unidimensional.
    """
    count = (H // P) * (W // P)
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    image = jax.random.normal(k1, (H, W, C), dtype=jnp.float32)
    E = jax.random.normal(k2, (P * P * C, d), dtype=jnp.float32) / (P * P * C) ** 0.5
    first = jax.random.normal(k3, (d,), dtype=jnp.float32)
    positions = jax.random.normal(k4, (1 + count, d), dtype=jnp.float32)
    raise NotImplementedError
