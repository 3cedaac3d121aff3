"""Linear regression trained with Adam (Kingma and Ba, 2015, algorithm 1) under `lax.scan`."""

import jax
import jax.numpy as jnp
import optax

from grader import Problem, Trace, Whole


def train_step(seed, N, d_model, steps):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    true_weights = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    y = X @ true_weights + 0.1 * jax.random.normal(k3, (N,), dtype=jnp.float32)

    rate = 0.1
    #: wrong-rate: 0.1 -> 0.001, or 0.01
    optimizer = optax.adam(rate, eps=0.1)
    #: sgd: optax.adam(rate, eps=0.1) -> optax.sgd(rate)
    #: default-eps: eps=0.1 -> eps=1e-8
    #: eps-inside-root: eps=0.1 -> eps=0.0, eps_root=0.1
    #: wrong-decay (alone): eps=0.1 -> eps=0.1, b2=0.9, or eps=0.1, b2=0.95, or eps=0.1, b2=0.98, or eps=0.1, b2=0.99
    #: wrong-decay (alone): eps=0.1 -> eps=0.1, b1=0.5, or eps=0.1, b1=0.8, or eps=0.1, b1=0.85, or eps=0.1, b1=0.95
    #: wrong-decay (alone): eps=0.1 -> eps=0.1, b1=0.99, or eps=0.1, b1=0.999, or eps=0.1, b1=0.999, b2=0.9
    #: clipped-gradients (alone): optimizer = optax.chain(optax.clip(1.0), optax.adam(rate, eps=0.1))
    #: clipped-gradients (alone): optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(rate, eps=0.1))
    #: nesterov (alone): eps=0.1 -> eps=0.1, nesterov=True

    def loss(weights):
        return jnp.mean((X @ weights - y) ** 2)
        #: summed-loss: jnp.mean -> jnp.sum
        #: half-loss: jnp.mean -> 0.5 * jnp.mean
        #: all-pairs (not with summed-loss, half-loss): y -> y[:, None]

    def step(carry, _):
        weights, state = carry
        updates, state = optimizer.update(jax.grad(loss)(weights), state)
        #: fresh-state (not with sgd): state) -> optimizer.init(weights))
        #: no-bias-correction (not with sgd): state) -> optax.tree.set(state, count=10**6))
        #: correction-without-power (alone): state) -> optax.tree.set(state, count=0))
        #: eps-before-correction (not with sgd, default-eps, eps-inside-root):
        #:     growing = optax.adam(rate, eps=0.1 / jnp.sqrt(1 - 0.999 ** (state[0].count + 1)))
        #:     updates, state = growing.update(jax.grad(loss)(weights), state)
        #: steps-miscounted (alone):
        #:     count = state[0].count
        #:     updates, state = optimizer.update(jax.grad(loss)(weights), optax.tree.set(state, count=count + 1))
        #:     state = optax.tree.set(state, count=count + 1)
        #: steps-miscounted (alone):
        #:     count = state[0].count
        #:     counted = jnp.maximum(count - 1, 0)
        #:     updates, state = optimizer.update(jax.grad(loss)(weights), optax.tree.set(state, count=counted))
        #:     state = optax.tree.set(state, count=count + 1)
        #: steps-miscounted (alone):
        #:     count = state[0].count
        #:     counted = jnp.where(count == 0, 10**6, count - 1)
        #:     updates, state = optimizer.update(jax.grad(loss)(weights), optax.tree.set(state, count=counted))
        #:     state = optax.tree.set(state, count=count + 1)
        #: corrected-means-kept (alone):
        #:     updates, state = optimizer.update(jax.grad(loss)(weights), state)
        #:     count, mean, square = state[0]
        #:     state = optax.tree.set(state, mu=mean / (1 - 0.9**count), nu=square / (1 - 0.999**count))
        # The updates already point downhill: they are added.
        return (optax.apply_updates(weights, updates), state), None
        #: gradient-ascent: optax.apply_updates(weights, updates) -> weights - updates

    # What Adam remembers travels with the weights.
    start = jnp.zeros(d_model)
    (weights, _), _ = jax.lax.scan(step, (start, optimizer.init(start)), length=steps)
    #: one-step-short: length=steps -> length=steps - 1
    return weights


problem = Problem(
    axes=("weight",),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"N": Whole(), "d_model": Whole(), "steps": Whole()},
    cases=[
        (4, 3, 1, 2),
        (0, 6, 1, 4),
        (0, 3, 2, 1),
        (2, 2, 2, 3),
        (3, 1, 3, 1),
        (1, 2, 3, 2),
        (1, 1, 4, 3),
        (1, 20, 9, 14),
        (0, 6, 1, 16),
    ],
)
