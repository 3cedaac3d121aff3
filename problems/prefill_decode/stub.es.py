"""Prefill y decode.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp


def prefill_decode(seed, B, T, steps, d):
    """Atención causal con posiciones rotatorias: prompts de distinta longitud a la vez, luego token a token con una caché.

    Args:
        seed: la semilla de las filas, de las longitudes y de las matrices.
        B: el número de secuencias.
        T: el número de posiciones de los prompts, con el relleno.
        steps: cuántos tokens nuevos se añaden a cada prompt.
        d: el número de dimensiones, par.

    Returns:
        Por cada secuencia, la respuesta al último token de su prompt y luego las de los tokens nuevos: filas de forma
        (B, 1 + steps, d), como un array float32 unidimensional.
    """
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (B, T, d), dtype=jnp.float32)
    new = jax.random.normal(keys[1], (B, steps, d), dtype=jnp.float32)
    lengths = jax.random.randint(keys[2], (B,), 1, T + 1)
    Wq, Wk, Wv = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[3:])
    raise NotImplementedError
