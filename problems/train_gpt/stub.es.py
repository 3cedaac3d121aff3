"""Entrenar un GPT pequeño.

Lee README.es.md, junto a este archivo, rellena la función y luego ejecuta: python -m grader"""

import jax
import jax.numpy as jnp
import optax


def train_gpt(seed, B, T, V, d, steps):
    """Las pérdidas de un GPT pequeño mientras se entrena, y su pérdida con un lote con el que no se entrenó.

    Args:
        seed: la semilla de los textos y de los primeros pesos.
        B: el número de textos de un lote.
        T: el número de tokens que el modelo lee de cada texto.
        V: el número de palabras del vocabulario.
        d: el número de dimensiones de un token.
        steps: el número de pasos de entrenamiento, cada uno con su propio lote.

    Returns:
        La pérdida de antes de cada paso, y luego la del último lote, como un array float32 de forma (steps + 1,).
    """
    keys = jax.random.split(jax.random.key(seed), 5)
    # Lotes de textos: la palabra que sigue depende de la penúltima.
    table = 3 * jax.random.normal(keys[0], (V, V), dtype=jnp.float32)
    first, second = jax.random.randint(keys[1], (2, steps + 1, B), 0, V)

    def write(pair, key):
        before, last = pair
        word = jax.random.categorical(key, table[before])
        return (last, word), word

    _, following = jax.lax.scan(write, (first, second), jax.random.split(keys[2], T - 1))
    text = jnp.moveaxis(jnp.concatenate([first[None], second[None], following]), 0, -1)  # (steps + 1, B, T + 1)
    # Los primeros pesos, generados de dos veces: una fila por cada palabra y cada posición, y cuatro matrices.
    rows = jax.random.normal(keys[3], (V + T, d), dtype=jnp.float32) / jnp.sqrt(d)
    Wq, Wk, Wv, Wo = jax.random.normal(keys[4], (4, d, d), dtype=jnp.float32) / jnp.sqrt(d)
    weights = {"E": rows[:V], "pos": rows[V:], "Wq": Wq, "Wk": Wk, "Wv": Wv, "Wo": Wo}
    raise NotImplementedError
