"""A fixed point and its derivative by the implicit function theorem (Bai et al., 2019, arXiv:1909.01377, theorem 1)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def implicit_fixed_point(seed, d, theta):
    k1, k2 = jax.random.split(jax.random.key(seed))
    W = jax.random.normal(k1, (d, d), dtype=jnp.float32) / (4 * d**0.5)
    b = jax.random.normal(k2, (d,), dtype=jnp.float32)

    @jax.custom_vjp
    def fixed_point(theta):
        def going(state):
            _, change, rounds = state
            return (change > 1e-10) & (rounds < 60)
            #: stops-early: 60 -> 3
            #: stops-early (alone): 60 -> 5

        def once(state):
            x, _, rounds = state
            new = jnp.tanh(W @ x + theta * b)
            return new, jnp.abs(new - x).max(), rounds + 1

        x, _, _ = jax.lax.while_loop(going, once, (jnp.zeros(d), jnp.inf, 0))
        return x

    def forward(theta):
        x = fixed_point(theta)
        return x, x

    def backward(x, later):
        slope = 1.0 - x**2  # the derivative of tanh
        #: slope-missing/everywhere: slope = jnp.ones(d)
        jacobian = slope[:, None] * W
        #: slope-missing/matrix (alone): slope[:, None] * W -> W
        # The system is u = later + jacobian.T @ u, and u is a fixed point too.
        u = jax.lax.fori_loop(0, 60, lambda _, u: later + u @ jacobian, later)
        #: one-step-derivative (not with slope-missing): u = later
        #: transposed-jacobian: u @ jacobian -> jacobian @ u
        #: sign-flipped: later + -> later -
        #: truncated-series (alone): 60 -> 2
        return (u @ (slope * b),)
        #: slope-missing/vector (alone): slope * b -> b
        #: gradient-stopped (alone): u -> 0.0 * u

    fixed_point.defvjp(forward, backward)
    return fixed_point(theta)


problem = Problem(
    axes=("number",),
    contract="grad",
    wrt="theta",
    arguments={"d": Whole(), "theta": Real(0.1, 2.0)},
    cases=[
        (3, 2, 0.8),
        (1, 3, 0.1),
        (3, 1, 1.1),
        (3, 9, 2.0),
        (50, 9, 0.7),
        # A small fixed point: even float32 shows a stop at a change of 1e-6.
        (20, 1, 0.1),
    ],
)
