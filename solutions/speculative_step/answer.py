"""One step of speculative decoding (Leviathan, Kalman and Matias, 2023, algorithm 1)."""

import jax
import jax.numpy as jnp

from grader import Problem, Whole


def speculative_step(seed, K, V):
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    q = jax.nn.softmax(2 * jax.random.normal(k1, (K, V), dtype=jnp.float32), axis=-1)  # the draft model
    p = jax.nn.softmax(2 * jax.random.normal(k2, (K + 1, V), dtype=jnp.float32), axis=-1)  # the large model
    draft = jax.random.categorical(k3, jnp.log(q), axis=-1)  # the K tokens that the draft model drew
    u = jax.random.uniform(k4, (K,), dtype=jnp.float32)

    places = jnp.arange(K)
    accepted = u < (p[:K] / q)[places, draft]
    #: ratio-inverted: p[:K] / q -> q / p[:K]
    #: greedy-acceptance: u < (p[:K] / q) -> 1.0 <= (p[:K] / q)
    #: ratio-forgotten: p[:K] / q -> p[:K]
    #: ratio-forgotten (alone): p[:K] / q -> q
    #: logarithm-left (alone): p[:K] / q -> jnp.log(p[:K]) - jnp.log(q)
    #: accepts-the-refused (alone): u < -> u >=
    #: only-the-best (alone): accepted = draft == p[:K].argmax(axis=-1)
    #: first-not-tested (alone): accepted = (u < (p[:K] / q)[places, draft]) | (places == 0)
    #: most-probable-token: draft -> q.argmax(axis=-1)
    #: most-probable-token (alone): draft -> p[:K].argmax(axis=-1)
    # One refusal ends the draft: from there on the product is zero.
    n = jnp.cumprod(accepted.astype(jnp.int32)).sum()
    #: counts-all-accepted: n = accepted.sum()
    #: none-if-all-pass: n = accepted.argmin()
    wanted, offered = p[n], q[n]
    #: one-row-late: wanted, offered = p[n + 1], q[n + 1]
    #: one-row-late (alone): p[n] -> p[n + 1]
    #: one-row-early: wanted, offered = p[n - 1], q[n - 1]
    #: one-row-early:
    #:     before = jnp.maximum(n - 1, 0)
    #:     wanted, offered = p[before], q[before]
    #: one-row-early (alone): q[n] -> q[n - 1]
    rest = jnp.maximum(wanted - offered, 0.0)
    #: target-for-residual: rest = wanted
    #: refused-token-removed: rest = jnp.where(jnp.arange(V) == draft[n], 0.0, wanted)
    #: absolute-difference: rest = jnp.abs(wanted - offered)
    #: residual-of-the-draft (alone): wanted - offered -> offered - wanted
    #: draft-again: rest = offered
    shares = rest / rest.sum()
    #: residual-unnormalised (not with target-for-residual, draft-again): shares = rest
    #: softmax-of-the-rest (alone): shares = jax.nn.softmax(rest)
    # After the last draft token there is nothing to subtract. (Past its end, JAX takes the last row of q.)
    following = jnp.where(n == K, p[K], shares)
    #: no-bonus: p[K] -> p[K - 1]
    #: no-bonus:
    #:     more = jnp.maximum(p[K - 1] - q[K - 1], 0.0)
    #:     following = jnp.where(n == K, more / more.sum(), shares)
    #: last-draft-subtracted (not with one-row-early): following = shares
    return jnp.concatenate([n[None].astype(jnp.float32), following])
    #: counts-the-next: n[None] -> (n + 1)[None]


problem = Problem(
    axes=("entry",),
    contract="jit",
    arguments={"K": Whole(), "V": Whole(2)},
    # Seeds are chosen with care: no number that decides lies near a ratio, in the right test or in a wrong one.
    cases=[
        (3, 9, 2),
        (10, 2, 3),
        (15, 4, 3),
        (4, 3, 4),
        (2, 3, 5),
        (11, 5, 9),
        (3, 1, 9),
    ],
)
