"""The loss of a language model, as a good learner would write it."""

import jax
import jax.numpy as jnp


def next_token_loss(seed, B, T, V):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    logits = jax.random.normal(k1, (B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k2, (B, T), 0, V, dtype=jnp.int32)

    # What is said at t is about t + 1: nobody is asked for the first token, and nothing is known after the last.
    logits, targets = logits[:, :-1], tokens[:, 1:]
    log_probabilities = jax.nn.log_softmax(logits, axis=-1)
    costs = -jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]
    return jnp.mean(costs, where=targets != 0).reshape(1)
