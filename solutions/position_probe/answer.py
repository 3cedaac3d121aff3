"""A linear probe for positions (Alain and Bengio, 2016): can a straight line tell early from late?"""

import jax
import jax.numpy as jnp

from grader import Problem, Trace, Whole


def position_probe(seed, N, T, d_model, steps):
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    positions = jax.random.randint(k1, (N,), 0, T, dtype=jnp.int32)
    noise = 0.1 * jax.random.normal(k2, (N, d_model), dtype=jnp.float32)

    angles = positions[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    #: half-exponent: -2 -> -1
    encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(N, d_model)
    #: stacked-layout: axis=-1 -> axis=1
    features = encoding + noise
    #: noise-scaled-twice (alone): noise -> 0.1 * noise
    #: noise-left-out (alone): features = encoding
    #: noise-left-out (alone): features = encoding
    #: noise-left-out (alone): =
    late = 2 * positions >= T  # whole numbers: nothing to round when T is odd
    #: floored-middle: 2 * positions >= T -> positions >= T // 2
    #: middle-left-out: 2 * positions >= T -> 2 * positions > T
    labels = jnp.where(late, 1.0, 0.0)
    #: labels-flipped: 1.0, 0.0 -> 0.0, 1.0

    def loss(parameters):
        weights, bias = parameters
        scores = features @ weights + bias
        #: no-bias: scores = features @ weights
        # -log(sigmoid(s)) is softplus(s) - s, and -log(1 - sigmoid(s)) is softplus(s): no logarithm of zero.
        costs = jax.nn.softplus(scores) - labels * scores
        #: squared-loss: costs = (jax.nn.sigmoid(scores) - labels) ** 2
        return jnp.mean(costs)
        #: summed-loss: jnp.mean -> jnp.sum

    rate = 0.5
    #: wrong-rate (alone): 0.5 -> 1.0, or 0.1, or 0.05, or 0.01, or 0.001, or 0.25, or 0.2, or 2.0
    #: adam (alone): =
    #: adam (alone): 0.5 -> 0.1, or 0.01, or 0.001

    def descend(parameters, _):
        slopes = jax.grad(loss)(parameters)
        return jax.tree.map(lambda p, slope: p - rate * slope, parameters, slopes), None
        #: gradient-ascent (not with summed-loss): p - rate * slope -> p + rate * slope

    (weights, bias), _ = jax.lax.scan(descend, (jnp.zeros(d_model), jnp.zeros(())), length=steps)
    #: one-step-short: length=steps -> length=steps - 1
    #: adam:
    #:     import optax
    #:     adam = optax.adam(rate)
    #:     def step(carry, _):
    #:         parameters, state = carry
    #:         updates, state = adam.update(jax.grad(loss)(parameters), state)
    #:         return (optax.apply_updates(parameters, updates), state), None
    #:     start = jnp.zeros(d_model), jnp.zeros(())
    #:     ((weights, bias), _), _ = jax.lax.scan(step, (start, adam.init(start)), length=steps)
    return jax.nn.sigmoid(features @ weights + bias)
    #: scores-for-probabilities: return features @ weights + bias
    #: noise-left-out: =
    #: noise-left-out: features -> (encoding + noise)
    #: noise-left-out: features -> encoding


problem = Problem(
    axes=("example",),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"N": Whole(), "T": Whole(2), "d_model": Whole(2, step=2), "steps": Whole()},
    cases=[
        (4, 1, 5, 4, 10),
        (1, 2, 2, 4, 3),
        (2, 2, 3, 8, 1),
        (1, 2, 11, 12, 2),
        (0, 3, 4, 2, 2),
        (2, 9, 3, 2, 3),
        (0, 7, 8, 6, 10),
        (4, 10, 2, 6, 1),
        (4, 1, 5, 4, 40),
    ],
)
