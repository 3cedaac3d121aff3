"""El sesgo de ALiBi.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def alibi_bias(seed, H, T):
    """El sesgo que se suma a las puntuaciones de atención de cada cabeza, aplanado.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        H: el número de cabezas.
        T: el número de posiciones, de 0 a T - 1.

    Returns:
        El sesgo de forma (H, T, T), con ejes de cabeza, consulta y clave, como un array float32 de forma (H * T * T,).
    """
    raise NotImplementedError
