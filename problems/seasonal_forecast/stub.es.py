"""Un pronóstico estacional con atención.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def seasonal_forecast(seed, T, d_model, horizon, period):
    """Lo que dice la atención entre posiciones sobre los momentos que siguen al final de una serie.

    Args:
        seed: la semilla del ruido de la serie.
        T: la longitud de la serie: los momentos de 0 a T - 1.
        d_model: el número de dimensiones de la codificación posicional, par.
        horizon: cuántos momentos hay que pronosticar.
        period: la longitud de un ciclo estacional.

    Returns:
        El pronóstico, primero el del momento T, como un array float32 de forma (horizon,).
    """
    noise = jax.random.normal(jax.random.key(seed), (T,), dtype=jnp.float32)
    y = jnp.sin(2 * jnp.pi * jnp.arange(T) / period) + 0.1 * noise
    raise NotImplementedError
