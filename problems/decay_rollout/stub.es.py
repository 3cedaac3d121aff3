"""Aprender un decaimiento y prolongarlo.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def decay_rollout(seed, T, d_model, dt, steps, horizon):
    """Lo que un modelo lineal, entrenado para avanzar un paso en exp(-t), predice a partir de sus propias predicciones.

    Args:
        seed: no se usa aquí; todos los problemas de este kit reciben una semilla como primer argumento.
        T: el número de pares de entrenamiento: las entradas están en los lugares de 0 a T - 1, los momentos de 0 a
            (T - 1) * dt.
        d_model: el número de dimensiones de la codificación posicional, par.
        dt: el tiempo de un lugar al siguiente, un número de coma flotante.
        steps: el número de pasos de descenso de gradiente.
        horizon: el número de predicciones del rollout.

    Returns:
        Las predicciones, primero la del momento T * dt, como un array float32 de forma (horizon,).
    """
    raise NotImplementedError
