"""Un desplazamiento es una rotación.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def sinusoidal_shift(seed, d_model, delta):
    """La matriz que convierte la codificación de cualquier posición p en la de la posición p + delta, aplanada.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        d_model: el número de dimensiones, par.
        delta: cuántas posiciones se desplaza; un número negativo desplaza hacia atrás.

    Returns:
        La matriz de forma (d_model, d_model) como un array float32 de forma (d_model * d_model,).
    """
    raise NotImplementedError
