"""Sampling with a temperature, a key of its own for each round, and rows that end."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Whole


def sample_text(seed, B, V, max_len, temperature):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    table = 2 * jax.random.normal(k1, (V, V), dtype=jnp.float32)
    first = jax.random.randint(k2, (B,), 1, V)

    def choose(key, scores):
        # Nothing is divided by zero: at temperature 0 the best token has the probability 1.
        if temperature == 0:
            return jnp.argmax(scores, axis=-1)
            #: zero-is-one: return jax.random.categorical(key, scores, axis=-1)
        #: divides-by-zero: -
        sharp = scores / temperature
        #: temperature-multiplied: / temperature -> * temperature
        return jax.random.categorical(key, sharp, axis=-1)
        #: always-greedy: return jnp.argmax(sharp, axis=-1)
        #: one-key-for-all-rows: return jax.vmap(lambda row: jax.random.categorical(key, row))(sharp)

    def step(state, _):
        key, token, ended = state
        # One half goes on to the next round, the other one draws.
        key, sub = jax.random.split(key)
        #: halves-swapped: key, sub -> sub, key
        #: same-key-every-step: key, sub = key, key
        #: same-key-every-step: key, sub = key, jax.random.split(key)[1]
        following = choose(sub, table[token])
        #: probabilities-for-logits: table[token] -> jax.nn.softmax(table[token], axis=-1)
        written = jnp.where(ended, -1, following)
        #: goes-on-after-end: written = following
        #: pads-with-end: -1 -> 0
        #: end-not-written: ended -> ended | (following == 0)
        return (key, following, ended | (following == 0)), written
        #: stops-all-rows: following == 0 -> jnp.any(following == 0)

    start = k3, first, jnp.zeros(B, bool)
    _, columns = jax.lax.scan(step, start, length=max_len)
    # The scan collects a column in each round.
    return columns.T.reshape(-1)


problem = Problem(
    axes=("row", "place"),
    picture=Heatmap("row", "place"),
    contract="keys",
    arguments={"B": Whole(), "V": Whole(2), "max_len": Whole(), "temperature": Real(0.0)},
    # Seeds are chosen with care: in no draw are the two best tokens nearly alike.
    cases=[
        (0, 1, 3, 3, 1.0),
        (1, 2, 4, 5, 0.7),
        (2, 3, 5, 6, 2.0),
        (7, 3, 5, 6, 0.0),
        (4, 4, 6, 8, 1.5),
        (5, 2, 2, 1, 0.5),
        (2, 9, 2, 4, 1.0),
        (3, 2, 9, 9, 1.0),
        (1, 3, 9, 1, 0.7),
        (0, 4, 9, 2, 2.0),
        (3, 1, 9, 3, 0.0),
    ],
)
