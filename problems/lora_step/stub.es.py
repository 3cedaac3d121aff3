"""Adaptación de rango bajo.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def lora_step(seed, N, d_in, d_out, rank, alpha, steps):
    """Las dos matrices de un adaptador de rango bajo tras unos pasos de entrenamiento, y lo que da la capa adaptada.

    Escribe un módulo con la base W (nnx.Param), y con A y B (nnx.LoRAParam). B empieza con ceros: (rank, d_out).

    Args:
        seed: la semilla de las filas x, los objetivos y, la base W y de A.
        N: el número de filas.
        d_in: el ancho de una fila.
        d_out: el ancho del resultado.
        rank: el ancho interior del adaptador.
        alpha: la escala del adaptador, antes de dividirla entre el rango.
        steps: el número de pasos.

    Returns:
        A, luego B, luego el resultado de la capa para x, todos aplanados, como un solo array float32 de forma
        (d_in * rank + rank * d_out + N * d_out,).
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d_out), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_in, d_out), dtype=jnp.float32) / d_in**0.5
    A = jax.random.normal(k4, (d_in, rank), dtype=jnp.float32) / d_in**0.5
    optimizer = optax.sgd(0.1)
    raise NotImplementedError
