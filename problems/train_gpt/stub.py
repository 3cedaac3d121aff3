"""Train a small GPT. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax


def train_gpt(seed, B, T, V, d, steps):
    """The losses of a small GPT while it is trained, and its loss on a batch that it was not trained on.

    Args:
        seed: the seed of the texts and of the first weights.
        B: the number of texts in a batch.
        T: the number of tokens that the model reads of each text.
        V: the number of words in the vocabulary.
        d: the number of dimensions of a token.
        steps: the number of training steps, each with a batch of its own.

    Returns:
        The loss before each step, then the loss on the last batch, as a float32 array of shape (steps + 1,).
    """
    keys = jax.random.split(jax.random.key(seed), 5)
    # Batches of texts: which word follows depends on the word before the last one.
    table = 3 * jax.random.normal(keys[0], (V, V), dtype=jnp.float32)
    first, second = jax.random.randint(keys[1], (2, steps + 1, B), 0, V)

    def write(pair, key):
        before, last = pair
        word = jax.random.categorical(key, table[before])
        return (last, word), word

    _, following = jax.lax.scan(write, (first, second), jax.random.split(keys[2], T - 1))
    text = jnp.moveaxis(jnp.concatenate([first[None], second[None], following]), 0, -1)  # (steps + 1, B, T + 1)
    # The first weights, from two draws: a row for each word and each place, and four matrices.
    rows = jax.random.normal(keys[3], (V + T, d), dtype=jnp.float32) / jnp.sqrt(d)
    Wq, Wk, Wv, Wo = jax.random.normal(keys[4], (4, d, d), dtype=jnp.float32) / jnp.sqrt(d)
    weights = {"E": rows[:V], "pos": rows[V:], "Wq": Wq, "Wk": Wk, "Wv": Wv, "Wo": Wo}
    raise NotImplementedError
