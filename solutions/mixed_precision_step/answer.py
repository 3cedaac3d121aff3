"""Products in 16 bits, weights in 32, and a loss scale (Micikevicius et al., 2018, arXiv:1710.03740, section 3)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def mixed_precision_step(seed, N, d, steps, rate):
    k1, k2 = jax.random.split(jax.random.key(seed))
    X = jax.random.normal(k1, (steps, N, d), dtype=jnp.float32) / 8192
    y = X @ (1 + jax.random.normal(k2, (d,), dtype=jnp.float32))
    w = jnp.ones(d)
    limit, scale = 5e-8, 2.0**29

    def loss(w, x, y):
        prediction = x.astype(jnp.float16) @ w.astype(jnp.float16)
        #: all-in-32-bits: x.astype(jnp.float16) @ w.astype(jnp.float16) -> x @ w, or x @ w.astype(jnp.float16)
        error = prediction.astype(jnp.float32) - y
        #: loss-in-16-bits: prediction.astype(jnp.float32) - y -> prediction - y.astype(jnp.float16)
        return jnp.mean(error**2)

    def step(carry, batch):
        w, scale = carry
        cost, g = jax.value_and_grad(lambda w: scale * loss(w, *batch))(w)
        #: no-loss-scale: scale * loss -> loss
        # Only float32 holds gradients of the real size.
        cost, g = cost / scale, g / scale
        #: no-loss-scale: cost, g = cost / scale, g / scale -> pass
        #: unscaled-in-16-bits: g / scale -> (g / scale).astype(jnp.float16).astype(jnp.float32)
        #: not-unscaled: g / scale -> g
        #: scaled-loss-kept: cost / scale -> cost
        fits = jnp.isfinite(g).all()
        norm = jnp.sqrt(jnp.sum(g**2))
        #: clipped-while-scaled: jnp.sum(g**2) -> jnp.sum((scale * g)**2)
        g = g * jnp.minimum(1.0, limit / norm)
        #: number-added-to-the-norm: limit / norm -> limit / (norm + 1e-6)
        #: not-clipped: -
        #: each-weight-clipped: g * jnp.minimum(1.0, limit / norm) -> jnp.clip(g, -limit, limit)
        new = w - rate * g
        #: weights-in-16-bits (not with clipped-while-scaled):
        #:     new = (w - rate * g).astype(jnp.float16).astype(jnp.float32)
        w = jnp.where(fits, new, w)
        #: weights-before-the-step: before, w = w, jnp.where(fits, new, w)
        #: step-not-skipped: jnp.where(fits, new, w) -> new
        scale = jnp.where(fits, scale, scale / 2)
        #: scale-not-halved: -
        #: scale-doubled: fits, scale, scale / 2 -> fits, 2 * scale, scale / 2
        return (w, scale), (w, cost)
        #: weights-before-the-step: (w, cost) -> (before, cost)
        #: loss-after-the-step: (w, cost) -> (w, loss(w, *batch))

    _, (weights, losses) = jax.lax.scan(step, (w, scale), (X, y))
    return jnp.concatenate([weights.T, losses[None]]).reshape(-1)


problem = Problem(
    axes=("row", "step"),
    by_row=True,
    arguments={"N": Whole(), "d": Whole(), "steps": Whole(), "rate": Real(above=0.0)},
    # The moves of most cases are lost in 16 bits. At the rate of a million they are not, which tells weights in 16 bits from
    # weights that hardly move.
    cases=[
        (0, 2, 2, 4, 4000.0),
        (1, 1, 3, 5, 4000.0),
        (21, 3, 1, 6, 2500.0),
        (3, 4, 2, 9, 3000.0),
        (4, 9, 3, 7, 4000.0),
        (5, 3, 9, 6, 4000.0),
        (6, 2, 3, 1, 4000.0),
        (7, 5, 4, 2, 4000.0),
        (51, 4, 2, 4, 1000000.0),
        (9, 3, 3, 3, 0.05),
        (0, 9, 2, 1, 1e8),
        (12, 9, 2, 1, 1e8),
        (10, 4, 1, 2, 2000.0),
        (11, 3, 2, 1, 5000.0),
    ],
)
