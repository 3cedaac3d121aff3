"""Rounding with the straight-through estimator (Bengio et al., 2013, arXiv:1308.3432), by a derivative of its own."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def straight_through(seed, N, levels, scale):
    z = jax.random.normal(jax.random.key(seed), (N,), dtype=jnp.float32)

    @jax.custom_vjp
    def quantize(x):
        clipped = jnp.clip(x, -1.0, 1.0)
        #: clip-missing: clipped = x
        return jnp.round(clipped * levels) / levels
        #: not-divided-back/value (not with gradient-scaled): / levels ->
        #: not-divided-back/all (not with gradient-scaled): / levels ->
        #: floored: jnp.round -> jnp.floor
        #: unquantised: jnp.round(clipped * levels) / levels -> clipped

    def forward(x):
        return quantize(x), x  # the result, and what the backward pass needs

    def backward(x, later):
        inside = jnp.abs(x) <= 1.0
        #: gate-missing: inside = True
        #: gate-inverted: <= -> >
        #: gate-of-rounded-values: inside = jnp.abs(jnp.round(x * levels)) < levels
        return (jnp.where(inside, later, 0.0),)
        #: no-gradient (not with gate-missing, gate-inverted): later -> jnp.zeros_like(later)
        #: not-divided-back/all (not with gradient-scaled): later -> later * levels
        #: gradient-scaled: later -> later * levels
        #: gradient-negated: later -> -later

    quantize.defvjp(forward, backward)
    return quantize(scale * z)


problem = Problem(
    axes=("number",),
    contract="grad",
    wrt="scale",
    arguments={"N": Whole(), "levels": Whole(), "scale": Real(above=0.0)},
    cases=[
        (2, 3, 2, 1.2),
        (0, 1, 9, 0.5),
        (4, 9, 1, 1.1),
        (1, 12, 9, 0.05),
        (5, 2, 4, 0.7),
        (7, 10, 4, 1.5),
    ],
)
