"""The loss of direct preference optimisation (Rafailov et al., 2023, arXiv:2305.18290, equation 7)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def answer_log_probability(logits, tokens, prompt):
    """The log probability of each answer, given its prompt: shape (2, B)."""
    T = tokens.shape[-1]
    logits, targets = logits[:, :, :-1], tokens[:, :, 1:]
    #: no-shift: logits[:, :, :-1] -> logits[:, :, 1:]
    #: no-shift: tokens[:, :, 1:] -> tokens[:, :, :-1]
    #: no-shift (alone): logits[:, :, :-1], tokens[:, :, 1:] -> logits[:, :, 1:], tokens[:, :, :-1]
    log_p = jax.nn.log_softmax(logits, axis=-1)
    #: no-log-softmax: log_p = logits
    of_targets = jnp.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    # The first target is token 1.
    in_answer = jnp.arange(1, T) >= prompt[:, None]
    #: prompt-counted: prompt[:, None] -> 0
    #: mask-unshifted: prompt[:, None] -> prompt[:, None] - 1, or prompt[:, None] + 1
    #: mask-inverted: >= prompt[:, None] -> < prompt[:, None]
    return jnp.where(in_answer, of_targets, 0.0).sum(axis=-1)
    #: mean-for-sum: .sum(axis=-1) -> .sum(axis=-1) / jnp.maximum(in_answer.sum(axis=-1), 1)
    #: mean-over-all-places (alone): .sum(axis=-1) -> .sum(axis=-1) / (T - 1), or .sum(axis=-1) / T


def dpo_loss(seed, B, T, V, beta):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    policy = jax.random.normal(k1, (2, B, T, V), dtype=jnp.float32)
    reference = jax.random.normal(k2, (2, B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k3, (2, B, T), 0, V, dtype=jnp.int32)
    prompt = jax.random.randint(k4, (B,), 1, T, dtype=jnp.int32)

    # Both models at once.
    of_both = jax.vmap(answer_log_probability, in_axes=(0, None, None))
    of_policy, of_reference = of_both(jnp.stack([policy, reference]), tokens, prompt)
    gain = of_policy - of_reference
    #: no-reference: gain = of_policy
    #: reference-added: of_policy - of_reference -> of_policy + of_reference
    chosen, rejected = gain
    #: preference-swapped: chosen, rejected -> rejected, chosen
    z = beta * (chosen - rejected)
    #: beta-outside: z = chosen - rejected
    #: beta-missing: z = chosen - rejected
    #: divided-by-beta: z = (chosen - rejected) / beta
    # -log(sigmoid(z)) is softplus(-z), which stays finite for any z.
    loss = jax.nn.softplus(-z)
    #: not-negated: jax.nn.softplus -> -jax.nn.softplus
    #: no-logarithm: jax.nn.softplus -> jax.nn.sigmoid
    #: hinge: jax.nn.softplus(-z) -> jnp.maximum(1 - z, 0.0)
    return loss
    #: beta-outside: loss -> beta * loss


problem = Problem(
    axes=("pair",),
    contract="grad",
    wrt="beta",
    arguments={"B": Whole(), "T": Whole(2), "V": Whole(2), "beta": Real(above=0.0)},
    cases=[
        (2, 1, 3, 4, 0.5),
        (1, 2, 4, 3, 0.5),
        (4, 3, 2, 4, 0.5),
        (6, 3, 6, 4, 50.0),  # one margin is so low that its sigmoid is zero
        (2, 4, 5, 2, 1.0),
        (2, 9, 11, 10, 0.05),
    ],
)
