"""Entrenar un GPT pequeño en Flax.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def nnx_gpt_train(seed, B, T, V, d, steps):
    """La pérdida de un GPT pequeño en textos nuevos: antes de entrenarlo y después de cada paso del entrenamiento.

    Escribe un módulo `GPT(V, T, d, *, rngs)` con estas capas, hechas en este orden, con el mismo `rngs`:

        words      nnx.Embed(V, d, rngs=rngs)
        places     nnx.Embed(T, d, rngs=rngs)
        norm       nnx.RMSNorm(d, rngs=rngs)
        attention  nnx.MultiHeadAttention(num_heads=1, in_features=d, use_bias=False, decode=False, rngs=rngs)
        dropout    nnx.Dropout(0.1, rngs=rngs)
        last       nnx.RMSNorm(d, rngs=rngs)
        head       nnx.Linear(d, V, use_bias=False, rngs=rngs)

    Args:
        seed: la semilla de los textos, de los pesos y del dropout.
        B: el número de textos de un lote.
        T: el número de palabras que el modelo lee de cada texto.
        V: el número de palabras del vocabulario.
        d: el número de dimensiones de una palabra.
        steps: el número de pasos de entrenamiento, cada uno con un lote propio.

    Returns:
        La pérdida en el último lote antes del primer paso y después de cada paso, como array float32 de forma (steps + 1,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    # Lotes de textos: las dos primeras palabras son cualesquiera; cada una de las demás depende de la de dos lugares antes.
    follows = jax.random.permutation(k1, V)
    written = list(jax.random.randint(k2, (2, steps + 1, B), 0, V))
    for _ in range(T - 1):
        written.append(follows[written[-2]])
    text = jnp.stack(written, axis=-1)  # (steps + 1, B, T + 1)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    rule = optax.sgd(0.1, momentum=0.9)
    raise NotImplementedError
