"""La escala de las posiciones.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def position_scale(seed, T, d_model, scale):
    """La entropía de los pesos de atención de cada consulta, con las posiciones multiplicadas por `scale` y sumadas.

    Args:
        seed: la semilla de los contenidos y de las dos matrices.
        T: el número de tokens.
        d_model: el número de dimensiones, par.
        scale: el factor de las posiciones, un número de coma flotante de 0 a 20.

    Returns:
        Las entropías en nats, una por cada consulta, como un array float32 de forma (T,).
    """
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
