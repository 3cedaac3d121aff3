"""Prompts of different length at once, then one token at a time (Pope et al., 2022, arXiv:2211.05102, section 2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Trace, Whole


def prefill_decode(seed, B, T, steps, d):
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (B, T, d), dtype=jnp.float32)
    new = jax.random.normal(keys[1], (B, steps, d), dtype=jnp.float32)
    lengths = jax.random.randint(keys[2], (B,), 1, T + 1)
    Wq, Wk, Wv = (jax.random.normal(k, (d, d), dtype=jnp.float32) / d**0.5 for k in keys[3:])
    omega = 10000.0 ** (-2 * jnp.arange(d // 2) / d)
    #: angles-too-close (alone): -2 * jnp.arange(d // 2) -> -jnp.arange(d // 2)
    slots = jnp.arange(T + steps)
    each = jnp.arange(B)

    def turn(rows, position):
        angle = position[..., None] * omega
        a, b = rows[..., 0::2], rows[..., 1::2]
        #: half-split: a, b = jnp.split(rows, 2, axis=-1)
        turned = [a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)]
        return jnp.stack(turned, axis=-1).reshape(rows.shape)
        #: half-split: return jnp.concatenate(turned, axis=-1)

    def attend(query, cache_k, cache_v, newest):
        scores = jnp.einsum("bd,bsd->bs", query, cache_k) / d**0.5
        #: unscaled-scores: / d**0.5 ->
        # Slots beyond the newest token hold zeros or the padding of the prompt.
        seen = slots <= newest[:, None]
        #: empty-slots-seen: newest[:, None] -> T + steps
        #: empty-slots-seen: =
        #: padding-seen: newest[:, None] -> newest[:, None] + T - lengths[:, None]
        #: padding-seen: =
        #: padding-seen: =
        #: blind-to-itself (alone): slots <= newest[:, None] -> (slots < newest[:, None]) | (slots == 0)
        #: blind-to-itself (alone): =
        weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
        return jnp.einsum("bs,bsd->bd", weights, cache_v)

    places = jnp.arange(T)
    empty = jnp.zeros((B, T + steps, d))
    cache_k = empty.at[:, :T].set(turn(x @ Wk, places))
    #: keys-not-turned: turn(x @ Wk, places) -> x @ Wk
    cache_v = empty.at[:, :T].set(x @ Wv)
    #: values-turned: x @ Wv -> turn(x @ Wv, places)
    last = lengths - 1
    #: last-row-for-last-real: lengths - 1 -> jnp.full(B, T - 1)
    #: last-row-for-last-real: =
    first = attend(turn(x[each, last] @ Wq, last), cache_k, cache_v, last)
    #: last-row-for-last-real: =
    #: last-row-for-last-real: x[each, last] -> x[:, -1]
    #: query-not-turned (alone): turn(x[each, last] @ Wq, last) -> x[each, last] @ Wq
    #: padding-seen: =
    #: padding-seen: cache_v, last) -> cache_v, jnp.full(B, T - 1))
    #: padding-seen: =

    def step(cache, number_and_rows):
        number, rows = number_and_rows
        cache_k, cache_v = cache
        # Each sequence goes on where its own prompt ends.
        slot = lengths + number
        #: slot-off-by-one: lengths + number -> lengths + number - 1
        #: slot-left-empty: lengths + number -> lengths + number + 1
        #: after-the-padding: lengths + number -> jnp.full(B, T + number)
        #: longest-for-all: lengths + number -> jnp.full(B, lengths.max() + number)
        position = lengths + number
        #: positions-count-padding: lengths + number -> jnp.full(B, T + number)
        #: longest-for-all: lengths + number -> jnp.full(B, lengths.max() + number)
        #: positions-from-zero: lengths + number -> jnp.full(B, number)
        #: positions-from-one (alone): lengths + number -> lengths + number + 1
        cache_k = cache_k.at[each, slot].set(turn(rows @ Wk, position))
        #: nothing-stored: -
        #: keys-not-turned: turn(rows @ Wk, position) -> rows @ Wk
        cache_v = cache_v.at[each, slot].set(rows @ Wv)
        #: nothing-stored: -
        #: values-turned: rows @ Wv -> turn(rows @ Wv, position)
        answers = attend(turn(rows @ Wq, position), cache_k, cache_v, slot)
        #: query-not-turned (alone): turn(rows @ Wq, position) -> rows @ Wq
        #: padding-seen: =
        #: padding-seen: =
        #: padding-seen: cache_v, slot) -> cache_v, jnp.full(B, T + number))
        #: empty-slots-seen: =
        #: empty-slots-seen: cache_v, slot) -> cache_v, jnp.full(B, T + steps))
        #: blind-to-itself (alone): =
        #: blind-to-itself (alone): cache_v, slot) -> cache_v, slot - 1)
        return (cache_k, cache_v), answers
        #: cache-not-kept: (cache_k, cache_v) -> cache

    _, answers = jax.lax.scan(step, (cache_k, cache_v), (jnp.arange(steps), new.swapaxes(0, 1)))
    return jnp.concatenate([first[None], answers]).swapaxes(0, 1).reshape(-1)
    #: steps-before-sequences (alone): .swapaxes(0, 1).reshape -> .reshape


problem = Problem(
    axes=("sequence", "step", "dim"),
    picture=Heatmap("step", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"]),
    arguments={"B": Whole(), "T": Whole(), "steps": Whole(), "d": Whole(2, step=2)},
    cases=[
        (0, 3, 4, 3, 4),
        (1, 1, 2, 4, 4),
        (2, 2, 4, 1, 6),
        (3, 4, 1, 3, 4),
        (4, 3, 9, 2, 4),
        (5, 9, 3, 3, 4),
        (6, 3, 2, 9, 4),
        (7, 3, 3, 3, 10),
        (8, 3, 5, 4, 2),
        (9, 2, 3, 3, 4),
        (10, 3, 3, 1, 4),
        (11, 1, 3, 3, 4),
    ],
)
