"""Calentamiento y decaimiento con coseno.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax.numpy as jnp


def warmup_cosine(seed, steps, warmup, peak, floor):
    """La tasa de aprendizaje de cada paso: sube en línea recta, y luego baja a lo largo de media onda del coseno.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        steps: el número de pasos de entrenamiento, con los del calentamiento.
        warmup: el número de pasos en los que sube la tasa, menor que steps.
        peak: la tasa más alta, un número de coma flotante.
        floor: la tasa del final, un número de coma flotante, menor que peak.

    Returns:
        Las tasas de los pasos 0 a steps + 1, como un array float32 de forma (steps + 2,).
    """
    raise NotImplementedError
