"""Choosing without a branch (Frostig, Johnson and Leary, 2018)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Tokens, Whole


def first_jit(seed, N, limit):
    x = jax.random.randint(jax.random.key(seed), (N,), -4, 6).astype(jnp.float32)
    kept = x > limit
    #: below-the-limit: x > limit -> x < limit
    #: limit-left-out: x > limit -> x > 0
    #: limit-on-absolute-values: x > limit -> jnp.abs(x) > limit
    count = jnp.maximum(kept.sum(), 1)
    #: mean-of-all: count = N
    #: one-too-many: jnp.maximum(kept.sum(), 1) -> (kept.sum() + 1)
    total = jnp.where(kept, x, 0.0).sum()
    #: sum-of-all-numbers: jnp.where(kept, x, 0.0).sum() -> x.sum()
    mean = total / count
    #: sum-for-mean: / count ->
    #: mean-rounded-down: / count -> // count
    return jnp.where(kept, x, mean)
    #: zeros-for-the-mean: x, mean -> x, 0.0
    #: choices-exchanged: x, mean -> mean, x
    #: mean-everywhere: jnp.where(kept, x, mean) -> jnp.full(N, mean)
    #: limit-for-the-mean: x, mean -> x, limit
    #: centred: x, mean -> x - mean, 0.0


problem = Problem(
    axes=("number",),
    picture=Tokens("number"),
    contract="jit",
    arguments={"N": Whole(), "limit": Real(-1.0, most=2.0)},
    cases=[
        (10, 3, 0.5),
        (0, 1, -1.0),
        (6, 1, -0.25),
        (12, 4, 2.0),
        (2, 2, 0.0),
        (4, 5, -0.5),
        (5, 9, 0.25),
        (6, 12, -1.0),
        (13, 8, -0.5),
    ],
)
