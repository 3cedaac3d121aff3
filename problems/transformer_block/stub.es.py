"""Un bloque de transformer.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def transformer_block(seed, T, d_model, H):
    """Vectores de tokens después de un bloque de transformer causal y pre-norm con pesos recién creados, aplanados.

    Construye el bloque como un `nnx.Module` con estas cinco capas. Todas reciben el mismo `rngs`, y se crean en este
    orden, porque cada una toma las claves siguientes del flujo, también las LayerNorm:

        ln1   nnx.LayerNorm(d_model, rngs=rngs)
        attn  nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
        ln2   nnx.LayerNorm(d_model, rngs=rngs)
        up    nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        down  nnx.Linear(4 * d_model, d_model, rngs=rngs)

    Args:
        seed: la semilla de los vectores de los tokens x y de los pesos de las capas.
        T: el número de posiciones.
        d_model: el número de dimensiones, un múltiplo de H.
        H: el número de cabezas.

    Returns:
        El array de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    raise NotImplementedError
