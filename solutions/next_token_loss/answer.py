"""Next-token cross-entropy with padding left out (Radford et al., 2018, section 3.1)."""

import jax
import jax.numpy as jnp

from grader import Problem, Whole


def next_token_loss(seed, B, T, V):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    logits = jax.random.normal(k1, (B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k2, (B, T), 0, V, dtype=jnp.int32)

    # What is said at t is about t + 1: nobody is asked for the first token, and nothing is known after the last.
    logits, targets = logits[:, :-1], tokens[:, 1:]
    #: no-shift: logits[:, :-1], tokens[:, 1:] -> logits, tokens
    #: no-shift (alone): tokens[:, 1:] -> tokens[:, :-1]
    #: no-shift (alone): logits[:, :-1] -> logits[:, 1:]
    #: shifted-back: logits[:, :-1], tokens[:, 1:] -> logits[:, 1:], tokens[:, :-1]
    #: wrapped-shift: logits[:, :-1], tokens[:, 1:] -> logits, jnp.roll(tokens, -1, axis=1)
    #: shifted-twice (alone): logits[:, :-1], tokens[:, 1:] -> logits[:, :-2], tokens[:, 2:]
    #: shifted-twice (alone): tokens[:, 1:] -> jnp.roll(tokens, -2, axis=1)[:, :-1]
    #: flattened-before-shift (alone):
    #:     logits, targets = logits.reshape(1, -1, V)[:, :-1], tokens.reshape(1, -1)[:, 1:]
    log_probabilities = jax.nn.log_softmax(logits, axis=-1)
    #: softmax-twice: logits -> jax.nn.softmax(logits, axis=-1)
    costs = -jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]
    #: not-negated: -jnp.take_along_axis -> jnp.take_along_axis
    #: label-smoothing (alone):
    #:     costs = -jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]
    #:     to_all = -jnp.mean(log_probabilities, axis=-1) - costs
    #:     to_others = to_all * V / (V - 1)
    counted = targets != 0
    #: counts-padding: targets != 0 -> jnp.ones(targets.shape)
    #: masks-by-input (not with no-shift, shifted-back): targets -> tokens[:, : targets.shape[1]]
    #: stops-at-padding (alone): targets != 0 -> jnp.cumprod(targets != 0, axis=1)
    #: stops-at-padding (alone): targets != 0 -> jnp.cumprod(tokens != 0, axis=1)[:, 1:]
    loss = jnp.sum(costs * counted) / jnp.sum(counted)
    #: divides-by-all (not with counts-padding): / jnp.sum(counted) -> / targets.size
    #: mean-of-means: loss = jnp.mean(jnp.sum(costs * counted, axis=1) / jnp.sum(counted, axis=1))
    #: mean-of-means: loss = jnp.mean(jnp.sum(costs * counted, axis=1) / jnp.maximum(jnp.sum(counted, axis=1), 1))
    #: summed (not with perplexity): / jnp.sum(counted) -> / 1
    #: label-smoothing (alone): costs -> (costs + 0.1 * to_all), or (costs + 0.2 * to_all)
    #: label-smoothing (alone): costs -> (costs + 0.05 * to_all), or (costs + 0.01 * to_all)
    #: label-smoothing (alone): costs -> (costs + 0.1 * to_others), or (costs + 0.2 * to_others)
    #: label-smoothing (alone): costs -> (costs + 0.05 * to_others), or (costs + 0.01 * to_others)
    return loss.reshape(1)
    #: in-bits: loss -> (loss / jnp.log(2.0))
    #: perplexity: loss -> jnp.exp(loss)


problem = Problem(
    axes=("loss",),
    arguments={"B": Whole(), "T": Whole(2), "V": Whole(2)},
    cases=[
        (0, 1, 3, 4),
        (3, 4, 3, 2),
        (3, 2, 9, 3),
        (0, 3, 6, 5),
        (1, 4, 5, 7),
        (0, 10, 2, 9),
    ],
)
