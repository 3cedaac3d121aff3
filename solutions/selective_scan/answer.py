"""The selective state space of Mamba (Gu and Dao, 2023, arXiv:2312.00752, algorithm 2), by a parallel scan."""

import jax
import jax.numpy as jnp

from grader import Problem, Trace, Waves, Whole


def selective_scan(seed, T, d, n):
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    u = jax.random.normal(k1, (T, d), dtype=jnp.float32)
    raw_delta = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    A_log = jax.random.normal(k3, (d, n), dtype=jnp.float32)
    B = jax.random.normal(k4, (T, n), dtype=jnp.float32)
    C = jax.random.normal(k5, (T, n), dtype=jnp.float32)
    D = jax.random.normal(k6, (d,), dtype=jnp.float32)

    delta = jax.nn.softplus(raw_delta)
    #: step-not-positive: delta = raw_delta
    #: exp-for-softplus: jax.nn.softplus -> jnp.exp
    A = -jnp.exp(A_log)
    #: rate-positive: -jnp.exp -> jnp.exp
    #: rate-not-exponentiated: -jnp.exp(A_log) -> -A_log, or A_log
    # A state of its own for each step, channel and place in the state: (T, d, n).
    decay = jnp.exp(delta[:, :, None] * A)
    enters = (delta * u)[:, :, None] * B[:, None, :]
    #: step-missing-in-input: delta * u -> u
    #: exact-hold: enters = (decay - 1.0) / A * u[:, :, None] * B[:, None, :]
    #: in-and-out-swapped: B[:, None, :] -> C[:, None, :]

    def combine(left, right):
        left_decay, left_state = left
        right_decay, right_state = right
        return left_decay * right_decay, right_decay * left_state + right_state
        #: combine-swapped: right_decay * left_state + right_state -> left_decay * right_state + left_state

    _, h = jax.lax.associative_scan(combine, (decay, enters))
    #: no-memory: h = enters
    #: scan-over-channels: (decay, enters) -> (decay, enters), axis=1
    seen = jnp.einsum("tdn,tn->td", h, C)
    #: in-and-out-swapped: h, C -> h, B
    #: reads-the-state-before: h, C -> jnp.concatenate([jnp.zeros((1, d, n)), h[:-1]]), C
    return (seen + D * u).reshape(-1)
    #: skip-missing: seen + D * u -> seen


problem = Problem(
    axes=("step", "channel"),
    picture=Waves("step", "channel"),
    contract="trace",
    trace=Trace(forbids=["scan", "while"], grows="log", size="T"),
    arguments={"T": Whole(reach=8), "d": Whole(), "n": Whole()},
    cases=[
        (0, 2, 1, 1),
        (1, 3, 3, 1),
        (2, 5, 2, 9),
        (3, 1, 3, 4),
        (8, 4, 3, 2),
        (4, 9, 3, 4),
        (5, 2, 9, 3),
        (6, 3, 1, 9),
        (7, 16, 2, 1),
        (7, 64, 2, 1),
    ],
)
