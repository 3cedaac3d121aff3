"""Pesos de PyTorch.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
from flax import nnx


def port_weights(seed, T, d_model, H):
    """Lo que da una capa de atención entrenada en PyTorch, calculado en Flax y aplanado.

    El punto de control contiene los pesos de `torch.nn.MultiheadAttention(d_model, H)`, con los nombres que tienen allí.
    Cárgalos en la capa de Flax y aplícala de forma causal: ninguna posición ve una posterior.

    Args:
        seed: la semilla de los vectores de los tokens, x, del punto de control y de los pesos con los que se crea la capa.
        T: el número de posiciones.
        d_model: el número de dimensiones, un múltiplo de H.
        H: el número de cabezas.

    Returns:
        El array de forma (T, d_model) como un array float32 de forma (T * d_model,).
    """
    keys = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    checkpoint = {
        "in_proj_weight": jax.random.normal(keys[1], (3 * d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "in_proj_bias": jax.random.normal(keys[2], (3 * d_model,), dtype=jnp.float32),
        "out_proj.weight": jax.random.normal(keys[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "out_proj.bias": jax.random.normal(keys[4], (d_model,), dtype=jnp.float32),
    }
    rngs = nnx.Rngs(jax.random.key(seed))
    attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
    raise NotImplementedError
