"""Entropy of a softmax over the columns that are seen, and its derivative with respect to the temperature."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def grad_masked_entropy(seed, N, V, temperature):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    logits = jax.random.normal(k1, (N, V), dtype=jnp.float32)
    lengths = jax.random.randint(k2, (N,), 1, V + 1, dtype=jnp.int32)

    seen = jnp.arange(V) < lengths[:, None]
    #: off-by-one-length (not with hidden-counted): < -> <=
    scores = logits / temperature
    #: gradient-stopped: temperature -> jax.lax.stop_gradient(temperature)
    #: multiplied-by-temperature: logits / -> logits *
    #: temperature-ignored (not with constant-normaliser): scores = logits
    masked = jnp.where(seen, scores, -jnp.inf)
    #: hidden-counted: masked = scores
    #: hidden-scored-zero: -jnp.inf -> 0.0
    #: masked-after-softmax (not with infinite-where-hidden): masked = scores
    log_p = jax.nn.log_softmax(masked, axis=-1)
    #: constant-normaliser:
    #:     log_total = jax.nn.logsumexp(masked, axis=-1, keepdims=True)
    #:     log_p = masked - jax.lax.stop_gradient(log_total)
    # Minus infinity has done its work: from here on a hidden column holds a number, so that nothing infinite is
    # multiplied by the zeros that come back through the `where` below.
    log_p = jnp.where(seen, log_p, 0.0)
    #: infinite-where-hidden (not with gradient-stopped, constant-normaliser): -
    #: hidden-counted: -
    #: hidden-scored-zero: -
    terms = jnp.exp(log_p) * log_p
    #: base-two: * log_p -> * log_p / jnp.log(2.0)
    entropy = -jnp.where(seen, terms, 0.0).sum(axis=-1)
    #: hidden-counted: jnp.where(seen, terms, 0.0) -> terms
    #: hidden-scored-zero: jnp.where(seen, terms, 0.0) -> terms
    #: not-negated (not with averaged, perplexity): = - -> =
    #: averaged (not with perplexity): sum -> mean
    #: averaged: =
    return entropy
    #: averaged: =
    #: averaged: entropy -> entropy / lengths
    #: perplexity: entropy -> jnp.exp(entropy)


problem = Problem(
    axes=("row",),
    contract="grad",
    wrt="temperature",
    arguments={"N": Whole(), "V": Whole(2), "temperature": Real(least=0.5)},
    cases=[
        (0, 1, 4, 0.7),
        (1, 2, 3, 2.0),
        (2, 3, 2, 1.5),
        (0, 3, 5, 0.5),
        (4, 10, 9, 0.8),
    ],
)
