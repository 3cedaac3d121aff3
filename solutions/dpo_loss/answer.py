"""A loss for preferences, as a good learner would write it."""

import jax
import jax.numpy as jnp


def answer_log_probability(logits, tokens, prompt):
    """The log probability of each answer, given its prompt: shape (2, B)."""
    log_p = jax.nn.log_softmax(logits[:, :, :-1], axis=-1)
    targets = tokens[:, :, 1:]
    of_targets = jnp.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    # The first target is token 1.
    in_answer = jnp.arange(1, tokens.shape[-1]) >= prompt[:, None]
    return jnp.where(in_answer, of_targets, 0.0).sum(axis=-1)


def dpo_loss(seed, B, T, V, beta):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    policy = jax.random.normal(k1, (2, B, T, V), dtype=jnp.float32)
    reference = jax.random.normal(k2, (2, B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k3, (2, B, T), 0, V, dtype=jnp.int32)
    prompt = jax.random.randint(k4, (B,), 1, T, dtype=jnp.int32)

    gain = answer_log_probability(policy, tokens, prompt) - answer_log_probability(reference, tokens, prompt)
    chosen, rejected = gain
    # -log(sigmoid(z)) is softplus(-z), which stays finite for any z.
    return jax.nn.softplus(-beta * (chosen - rejected))
