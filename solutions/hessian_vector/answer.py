"""The product of a Hessian with a vector, as the derivative of a gradient along it (Pearlmutter, 1994)."""

import jax
import jax.numpy as jnp

from grader import Problem, Trace, Whole


def hessian_vector(seed, N, d):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    X = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.bernoulli(k2, 0.5, (N,))
    w = jax.random.normal(k3, (d,), dtype=jnp.float32) / d**0.5
    v = jax.random.normal(k4, (d,), dtype=jnp.float32)

    def loss(w):
        t = jnp.where(y, 1.0, -1.0)
        return jnp.mean(jax.nn.softplus(-t * (X @ w)))
        #: summed-loss: jnp.mean -> jnp.sum

    gradient = jax.grad(loss)
    # How the gradient changes if the weights move along v.
    _, product = jax.jvp(gradient, (w,), (v,))
    #: point-exchanged: (w,), (v,) -> (v,), (w,)
    return product
    #: gradient-only: product -> gradient(w)
    #: gradient-times-v: product -> gradient(w) * v
    #: outer-product-of-gradient: product -> gradient(w) * (gradient(w) @ v)
    #: diagonal-only: product -> jnp.diag(jax.hessian(loss)(w)) * v
    #: vector-moves: product -> jax.grad(lambda u: gradient(u) @ u)(w)
    #: quadratic-form: product -> (v @ product)[None]


problem = Problem(
    axes=("weight",),
    contract="trace",
    trace=Trace(largest=lambda seed, N, d: max(16, 4 * N * d)),
    arguments={"N": Whole(), "d": Whole()},
    cases=[
        (0, 2, 2),
        (1, 1, 4),
        (2, 5, 1),
        (5, 2, 3),
        (6, 3, 2),
        (3, 12, 3),
        (4, 3, 64),
    ],
)
