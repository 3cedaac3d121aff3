"""Más allá de la longitud de entrenamiento.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def extrapolate(seed, T, train_len, d_model, omega, ridge):
    """Los errores de dos ajustes de una onda, con posiciones sinusoidales y con posiciones aprendidas, aplanados.

    Args:
        seed: la semilla de la fase de la onda.
        T: el número de posiciones.
        train_len: el número de posiciones que los ajustes pueden usar, como máximo T.
        d_model: el número de dimensiones de la tabla sinusoidal, par.
        omega: la frecuencia de la onda.
        ridge: el coeficiente de los pesos al cuadrado en la pérdida.

    Returns:
        Los errores absolutos de forma (2, T), primero los sinusoidales y después los de la tabla aprendida, como un
        array float32 de forma (2 * T,).
    """
    phase = jax.random.uniform(jax.random.key(seed), maxval=2 * jnp.pi, dtype=jnp.float32)
    target = jnp.sin(omega * jnp.arange(T) + phase)
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    sinusoids = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
