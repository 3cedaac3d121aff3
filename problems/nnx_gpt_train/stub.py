"""Train a small GPT in Flax. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def nnx_gpt_train(seed, B, T, V, d, steps):
    """The loss of a small GPT on new texts: before it is trained, and after each step of training.

    Write a module `GPT(V, T, d, *, rngs)` with these layers, made in this order, from the same `rngs`:

        words      nnx.Embed(V, d, rngs=rngs)
        places     nnx.Embed(T, d, rngs=rngs)
        norm       nnx.RMSNorm(d, rngs=rngs)
        attention  nnx.MultiHeadAttention(num_heads=1, in_features=d, use_bias=False, decode=False, rngs=rngs)
        dropout    nnx.Dropout(0.1, rngs=rngs)
        last       nnx.RMSNorm(d, rngs=rngs)
        head       nnx.Linear(d, V, use_bias=False, rngs=rngs)

    Args:
        seed: the seed of the texts, of the weights and of the dropout.
        B: the number of texts in a batch.
        T: the number of words that the model reads of each text.
        V: the number of words in the vocabulary.
        d: the number of dimensions of a word.
        steps: the number of training steps, each with a batch of its own.

    Returns:
        The loss on the last batch before the first step, and after each step, as a float32 array of shape (steps + 1,).
    """
    k1, k2 = jax.random.split(jax.random.key(seed))
    # Batches of texts: the first two words are any, and each later one follows from the word two back.
    follows = jax.random.permutation(k1, V)
    written = list(jax.random.randint(k2, (2, steps + 1, B), 0, V))
    for _ in range(T - 1):
        written.append(follows[written[-2]])
    text = jnp.stack(written, axis=-1)  # (steps + 1, B, T + 1)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    rule = optax.sgd(0.1, momentum=0.9)
    raise NotImplementedError
