"""Causal multi-head attention, decoded token by token with a cache (Vaswani et al., 2017; Shazeer, 2019, section 2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Trace, Whole, any_of


def kv_cache_decode(
    seed,
    T,
    d_model,
    H,
    *,
    cache="own slot",
    seen="filled",
    stored="key and value",
    width="head",
    heads=("slices", "slices"),
    project=True,
    short=None,
    asks="own query",
):
    """`(T, d_model)`: row t attends, in each head, to the keys and values that the cache holds after t + 1 tokens."""
    T, d_model, H = int(T), int(d_model), int(H)
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    d_head = d_model // H
    slots = jnp.arange(T)
    into, back = heads
    kind, capacity = short or ("long enough", T)
    held = {"half": T // 2, "half, rounded up": (T + 1) // 2, "all but one": T - 1}.get(capacity, capacity)
    held = max(held, 1)

    def split(rows):
        """`(T, d_model)` to `(T, H, d_head)`."""
        if into == "interleaved":
            return rows.reshape(T, d_head, H).swapaxes(1, 2)
        return rows.reshape(T, H, d_head)

    # A product of all rows at once is the product of each; what this is about is the cache.
    queries, new_keys = split(x @ Wq), split(x @ Wk)
    new_values = new_keys if stored == "key twice" else split(x @ Wv)

    if asks != "own query":
        # Of the token before or after it. At the end that has no neighbour: its own, zeros, or that of the other end.
        step, at_end = asks
        there = slots + step
        neighbours = queries[jnp.clip(there, 0, T - 1) if at_end != "wrapped" else there % T]
        outside = (there < 0) | (there >= T)
        queries = jnp.where(outside[:, None, None], 0.0, neighbours) if at_end == "zeros" else neighbours

    def slot(t):
        """Where token t is stored."""
        if cache == "next slot, clamped":
            return jnp.minimum(t + 1, T - 1)
        if cache == "next slot, dropped":
            return t + 1
        if cache == "slot before, wrapped":
            return (t - 1) % T
        return 0 if cache == "slot zero" else t

    def decode(caches, token):
        keys, values = caches
        t, query, key, value = token
        if cache not in ("empty", "prefilled"):
            here = (slots == slot(t))[:, None, None]
            keys, values = jnp.where(here, key, keys), jnp.where(here, value, values)
        scores = jnp.einsum("hd,shd->hs", query, keys)
        if width != "none":
            scores = scores / {"head": d_head, "model": d_model, "heads": H}[width] ** 0.5
        if seen != "all":
            last = t + 1 if seen == "one too many" else t - 1 if seen.startswith("older") else t
            scores = jnp.where(slots <= last, scores, -1e9 if seen == "older, at least a little" else -jnp.inf)
        if kind == "ring":
            scores = jnp.where(slots > t - held, scores, -jnp.inf)
        elif kind == "clamped":
            scores = jnp.where((slots < held - 1) | (slots == t), scores, -jnp.inf)
        elif kind == "dropped":
            scores = jnp.where(slots < held, scores, -jnp.inf)
        return (keys, values), jnp.einsum("hs,shd->hd", jax.nn.softmax(scores, axis=-1), values)

    empty = jnp.zeros((T, H, d_head))
    start = (new_keys, new_values) if cache == "prefilled" else (empty, empty)
    _, answers = jax.lax.scan(decode, start, (slots, queries, new_keys, new_values))
    mixed = (answers.swapaxes(1, 2) if back == "interleaved" else answers).reshape(T, d_model)
    if project:
        mixed = mixed @ Wo
    return mixed.reshape(-1)


SHORT = [
    *(("ring", held) for held in ("half", "half, rounded up", "all but one", 1, 2, 3, 4, 8)),
    *((kind, held) for kind in ("clamped", "dropped") for held in ("half", "all but one", 4)),
]
"""Caches with too few slots: where a token beyond the last is stored, and how many slots there are."""

problem = Problem(
    reference=kv_cache_decode,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"], largest=lambda seed, T, d_model, H: max(3 * T * d_model, 4 * d_model**2)),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (0, 3, 1, 1),
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (5, 2, 9, 1),
        (5, 2, 9, 9),
        (0, 4, 6, 3),
        (3, 16, 2, 2),
    ],
    pitfalls=[
        Pitfall(
            "cache-off-by-one",
            why="Writing and reading are out of step by one: the first token already reads a slot that is still empty.",
            hint="When the first token reads the cache, at which slot does it look, and what has been written there by "
            "then?",
            # Beyond the end, `dynamic_update_slice` takes the last slot, and `at[...].set` none, which gives the numbers of
            # reading before writing. The slot before slot 0 is the last.
            cache=any_of("next slot, clamped", "next slot, dropped", "slot before, wrapped"),
        ),
        Pitfall(
            "overwrites-slot-zero",
            why="Of all tokens the cache holds only the newest, and the other slots are empty: each was written over, or "
            "not handed on.",
            hint="After three tokens, how many slots of your cache should hold something, and how many do?",
            cache="slot zero",
        ),
        Pitfall(
            "cache-stays-empty",
            why="Every row is zero, as if nothing had ever been stored.",
            hint="A JAX array never changes: what does your update return, and who keeps that?",
            # Whatever else is wrong, nothing comes of nothing.
            cache="empty",
            seen="filled",
            stored="key and value",
            width="head",
            heads=("slices", "slices"),
            project=True,
        ),
        Pitfall(
            "sees-the-future",
            why="Every query sees the keys of all tokens, also of those that come after it.",
            hint="When the first token is decoded, what can the cache know of the second?",
            cache="prefilled",
            seen="all",
        ),
        Pitfall(
            "unmasked-empty-slots",
            why="Slots that hold nothing yet take part in the softmax: the rows before the last are drawn towards zero.",
            hint="Which score does a key of zeros get, and what is its share after the exponential?",
            seen=any_of("all", "one too many"),
        ),
        Pitfall(
            "blind-to-itself",
            why="The newest token sees those before it, but not itself, and the first one sees nothing at all.",
            hint="How many slots are filled when the first token attends?",
            # Where all is hidden, minus infinity gives NaN, and a large number equal shares.
            seen=any_of("older", "older, at least a little"),
        ),
        Pitfall(
            "keys-for-values",
            why="The second cache holds keys as well: what the heads add up are keys.",
            hint="What did you write into each of the two caches?",
            stored="key twice",
        ),
        Pitfall(
            "unscaled-scores",
            why="The dot products are not divided by anything: the weights are too sharp.",
            hint="Which factor keeps the spread of a dot product the same, however many dimensions it sums over?",
            width="none",
        ),
        Pitfall(
            "scaled-by-model-width",
            why="The scores are divided by the root of the whole model's width: with several heads they are too small, "
            "and the weights too even.",
            hint="How many terms does the dot product of one head sum?",
            width="model",
        ),
        Pitfall(
            "scaled-by-heads",
            why="The scores are divided by the root of the number of heads.",
            hint="How many terms does the dot product of one head sum, and what do you divide by?",
            width=any_of(alone=["heads"]),
        ),
        Pitfall(
            "heads-interleaved",
            why="A head was given dimensions that lie apart: neighbours went to different heads.",
            hint="Which dimension stands beside dimension 0 in the first head?",
            heads=any_of(("interleaved", "interleaved"), ("interleaved", "slices")),
        ),
        Pitfall(
            "no-output-projection",
            why="These are the answers of the heads, side by side: no matrix has mixed them.",
            hint="Which of the given matrices have you not used?",
            project=False,
        ),
        Pitfall(
            "short-cache",
            why="Late tokens do not see all tokens up to themselves: some were written over, or never stored.",
            hint="How many tokens should your cache hold at the end, and for how many is there room?",
            short=any_of(alone=SHORT),
        ),
        Pitfall(
            "query-off-by-one",
            why="A row belongs to the query of a neighbouring token, while the cache holds what it should.",
            hint="Which three vectors does one step compute, and is each of them that of the newest token?",
            asks=any_of(alone=[*((-1, end) for end in ("zeros", "own", "wrapped")), (1, "own"), (1, "wrapped")]),
        ),
    ],
)
