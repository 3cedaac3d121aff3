"""A linear recurrence by a parallel scan (Blelloch, 1990, section 1.4.1; Martin and Cundy, 2017, arXiv:1709.04057)."""

import jax
import jax.numpy as jnp

from grader import Problem, Trace, Waves, Whole


def affine_scan(seed, T, d):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    a = jax.nn.sigmoid(jax.random.normal(k1, (T, d), dtype=jnp.float32))
    b = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    h0 = jax.random.normal(k3, (d,), dtype=jnp.float32)

    def combine(left, right):
        left_factor, left_summand = left
        right_factor, right_summand = right
        # First left, then right: right_factor * (left_factor * h + left_summand) + right_summand.
        factor = left_factor * right_factor
        #: product-dropped: factor = right_factor
        #: product-dropped: factor = left_factor
        summand = right_factor * left_summand + right_summand
        #: combine-swapped: summand = left_factor * right_summand + left_summand
        #: b-not-carried: right_factor * left_summand -> left_summand
        return factor, summand

    factors, summands = jax.lax.associative_scan(combine, (a, b))
    #: reversed: (a, b) -> (a, b), reverse=True
    #: along-channels: (a, b) -> (a, b), axis=1
    h = factors * h0 + summands
    #: start-ignored: factors * h0 + summands -> summands
    #: start-times-one-factor: factors * h0 -> a * h0
    #: start-not-multiplied: factors * h0 -> h0
    return h.reshape(-1)
    #: exclusive: h.reshape(-1) -> jnp.concatenate([h0[None], h[:-1]]).reshape(-1)


problem = Problem(
    axes=("step", "channel"),
    picture=Waves("step", "channel"),
    contract="trace",
    trace=Trace(forbids=["scan", "while"], grows="log", size="T"),
    arguments={"T": Whole(reach=8), "d": Whole()},
    cases=[
        (0, 3, 1),
        (1, 1, 3),
        (2, 2, 9),
        (3, 5, 3),
        (4, 16, 2),
        (4, 64, 2),
        (5, 200, 1),
    ],
)
