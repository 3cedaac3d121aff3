"""Un GPT pequeño.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def mini_gpt(seed, B, T, V, d_model, H, L):
    """Los logits de un modelo de lenguaje pequeño y causal con pesos recién creados, aplanados.

    Construye el modelo como un `nnx.Module` con estas capas. Todas reciben el mismo `rngs`, y se crean en este orden,
    porque cada una toma las claves siguientes del flujo, también las LayerNorm:

        embed   nnx.Embed(V, d_model, rngs=rngs)
        blocks  L bloques, cada uno creado entero antes del siguiente; en cada uno, como en `transformer_block`:
                ln1   nnx.LayerNorm(d_model, rngs=rngs)
                attn  nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
                ln2   nnx.LayerNorm(d_model, rngs=rngs)
                up    nnx.Linear(d_model, 4 * d_model, rngs=rngs)
                down  nnx.Linear(4 * d_model, d_model, rngs=rngs)
        norm    nnx.LayerNorm(d_model, rngs=rngs)

    Args:
        seed: la semilla de los tokens y de los pesos de las capas.
        B: el número de secuencias.
        T: el número de tokens de cada secuencia.
        V: el número de tokens distintos.
        d_model: el número de dimensiones, par y múltiplo de H.
        H: el número de cabezas.
        L: el número de bloques.

    Returns:
        Los logits de forma (B, T, V) como un array float32 de forma (B * T * V,).
    """
    tokens = jax.random.randint(jax.random.key(seed), (B, T), 0, V, dtype=jnp.int32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
