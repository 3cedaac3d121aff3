"""Attention scores of rotated queries and keys (Su et al., 2021, section 3.2.2)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Problem, Whole


def rope_scores(seed, T, d_head, offset):
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key)
    q = jax.random.normal(k1, (T, d_head), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_head), dtype=jnp.float32)

    omega = 10000.0 ** (-2 * jnp.arange(d_head // 2) / d_head)
    #: half-exponent: -2 -> -1
    #: double-exponent: -2 -> -4
    #: wrong-base (not with half-exponent, double-exponent): 10000.0 -> 1000.0, or 100000.0, or 500000.0, or 1000000.0

    def turned(x, positions):
        angles = positions[:, None] * omega
        #: rotates-backwards (not with opposite-signs, no-second-term): * omega -> * -omega
        a, b = x[:, 0::2], x[:, 1::2]
        #: half-split: a, b = jnp.split(x, 2, axis=-1)
        pairs = [a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)]
        #: no-second-term (not with opposite-signs): pairs = [a * jnp.cos(angles), b * jnp.cos(angles)]
        return jnp.stack(pairs, axis=-1).reshape(T, d_head)
        #: half-split: stack -> concatenate

    positions = offset + jnp.arange(T)
    # Both sides by the same function and the same angles: only then do the absolute positions cancel.
    queries, keys = turned(q, positions), turned(k, positions)
    #: queries-only (not with keys-only): turned(k, positions) -> k
    #: queries-only: queries, keys = turned(q, jnp.arange(T)), k
    #: keys-only: turned(q, positions) -> q
    #: keys-only: queries, keys = q, turned(k, jnp.arange(T))
    #: opposite-signs: turned(k, positions) -> turned(k, -positions)
    #: opposite-signs: queries, keys = turned(q, jnp.arange(T)), turned(k, -jnp.arange(T))
    #: opposite-signs: turned(q, positions) -> turned(q, -positions)
    #: opposite-signs: queries, keys = turned(q, -jnp.arange(T)), turned(k, jnp.arange(T))
    #: no-second-term: =
    #: no-second-term: queries, keys = turned(q, jnp.arange(T)), turned(k, jnp.arange(T))
    #: offset-on-one-side (not with queries-only, keys-only): turned(k, positions) -> turned(k, jnp.arange(T))
    #: offset-on-one-side (not with queries-only, keys-only): turned(q, positions) -> turned(q, jnp.arange(T))
    #: not-turned (not with half-exponent, double-exponent, wrong-base, rotates-backwards, half-split, no-second-term):
    #:     queries, keys = q, k
    scores = queries @ keys.T / d_head**0.5
    #: missing-scale: keys.T / d_head**0.5 -> keys.T
    #: scaled-by-width: d_head**0.5 -> d_head
    return scores.reshape(-1)
    #: softmax-taken: scores -> jax.nn.softmax(scores, axis=-1)


problem = Problem(
    # Where the turns of queries and keys do not cancel, the offset shows: such mistakes have forms without it.
    axes=("query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "d_head": Whole(2, step=2), "offset": Whole(0, reach=300)},
    cases=[
        (0, 1, 4, 300),
        (0, 2, 2, 3),
        (4, 2, 10, 2),
        (0, 3, 4, 0),
        (0, 3, 6, 5),
        (1, 5, 10, 1),
        (0, 9, 2, 2),
        (0, 9, 4, 300),
    ],
)
