"""The mean of clipped gradients, one for each example (Abadi et al., 2016, algorithm 1, without the noise)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def vmap_clipped_gradients(seed, N, d_model, limit):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d_model,), dtype=jnp.float32)

    def loss(w, x, target):
        return (x @ w - target) ** 2
        #: half-gradient (not with always-scaled, upside-down, limit-of-one): ** 2 -> ** 2 / 2

    # The loss is written for one example. Each has a gradient of its own: (N, d_model).
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(w, X, y)
    #: wrong-argument: jax.grad(loss) -> jax.grad(loss, argnums=1)
    #: clipped-after-mean (not with summed): (w, X, y) -> (w, X, y).mean(axis=0, keepdims=True)
    lengths = jnp.linalg.norm(gradients, axis=1, keepdims=True)
    #: squared-norm: jnp.linalg.norm(gradients, -> jnp.sum(gradients**2,
    #: one-length-for-all (not with clipped-after-mean): axis=1 -> axis=None
    #: length-over-examples (not with clipped-after-mean): axis=1 -> axis=0
    # A choice between numbers, not a branch: each example has one of its own.
    clipped = gradients * jnp.minimum(1.0, limit / lengths)
    #: clipped-by-number (not with clipped-after-mean, squared-norm, one-length-for-all, length-over-examples):
    #:     clipped = jnp.clip(gradients, -limit, limit)
    #: not-clipped (not with clipped-after-mean, squared-norm, one-length-for-all, length-over-examples):
    #:     clipped = gradients
    #: always-scaled: jnp.minimum(1.0, limit / lengths) -> limit / lengths
    #: upside-down: limit / lengths -> lengths / limit
    #: limit-of-one: limit / lengths -> 1 / lengths
    return clipped.mean(axis=0)
    #: summed: mean -> sum


problem = Problem(
    axes=("weight",),
    contract="vmap",
    arguments={"N": Whole(), "d_model": Whole(), "limit": Real(above=0.0)},
    cases=[
        (4, 2, 1, 4.0),
        (3, 10, 1, 0.05),
        (0, 3, 2, 2.0),
        (2, 5, 3, 4.0),
        (0, 1, 4, 3.0),
        (0, 12, 5, 6.0),
        (3, 12, 5, 6.0),
        (2, 2, 9, 0.05),
    ],
)
